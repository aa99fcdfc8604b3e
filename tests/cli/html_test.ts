import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import { squarify } from "../../src/cli/html/treemap.ts";
import { runToEnd } from "../support/server.ts";
import { createWorkspace, writeTree } from "../support/workspace.ts";
import { plantSecrets, program, withFolder } from "./_program.ts";

const HOSTILE = `<img src=x onerror=document.title='owned'> "><script>document.title='owned'<-script>\u202e`;

let browser: Promise<string> | undefined;

/** A real browser; in continuous integration it is installed where it is missing. */
function chromium(): Promise<string> {
  return browser ??= findChromium();
}

async function findChromium(): Promise<string> {
  const known = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ];
  for (const name of known) {
    try {
      if ((await runToEnd([name, "--version"])).code === 0) return name;
    } catch {
      // not this one
    }
  }
  const install = "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium";
  const { code, stderr } = await runToEnd(["sh", "-c", install]);
  assertEquals(code, 0, `no browser, and none can be installed: ${stderr}`);
  return "chromium";
}

/** Opens a page in the browser and gives back the document as it stands then. */
async function opened(file: string, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await runToEnd([
    await chromium(),
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    `--user-data-dir=${file}.profile`,
    ...flags,
    toFileUrl(file).href,
  ]);
  assertEquals(code, 0, stderr);
  return stdout;
}

/** Checks that a page is whole in itself: it names nothing to fetch or run, and the browser found nothing to do either. */
function assertSelfContained(page: string, dom: string): void {
  assertStringIncludes(page, `content="default-src 'none'; style-src 'unsafe-inline'`);
  for (
    const pattern of [
      /<script/i,
      /<img/i,
      /<link/i,
      /<iframe/i,
      /\s(src|href|on\w+)\s*=\s*["'][^"']/i,
      /url\(/i,
      /@import/,
    ]
  ) {
    assert(!pattern.test(dom.replaceAll(/>[^<]*</g, "><")), `${pattern} in the page`);
  }
  assert(!dom.includes("<title>owned"), "a name from the disk was run");
}

Deno.test("sweep --html in a browser: one tile a find, and names from the disk are text", async () => {
  await using workspace = await createWorkspace();
  const { root, base } = workspace;
  for (const [index, name] of ["shop", "blog", HOSTILE].entries()) {
    await writeTree(join(root, name), {
      "package.json": "{}",
      "node_modules/a.js": "x".repeat(40_000 * (index + 1)),
      "dist/by-hand.txt": "",
    });
  }
  const file = join(base, "space.html");
  const { code, stderr } = await program(["sweep", root, "--html", file, "-o", join(base, "out.txt")]);
  assertEquals(code, 0, stderr);
  const page = await Deno.readTextFile(file);
  const dom = await opened(file, "--dump-dom");
  assertSelfContained(page, dom);
  const [wide = "", narrow = ""] = dom.match(/<svg [^]*?<\/svg>/g) ?? [];
  assertEquals([wide.match(/<rect /g)?.length, narrow.match(/<rect /g)?.length], [3, 3], "for a desk and for a phone");
  assertStringIncludes(dom, "can be had back");
  assertStringIncludes(dom, "nothing proves that it can be rebuilt");
  assertStringIncludes(dom, "\\u{202e}");
  const picture = join(base, "space.png");
  await opened(file, `--screenshot=${picture}`, "--window-size=1200,900");
  assert((await Deno.stat(picture)).size > 10_000, "something was drawn");
  assertEquals(await overflowAt(file, 390), 0, "nothing sticks out of a phone's screen");
});

/** By how many pixels a page is wider than a screen of `width`, as a page around it measures. */
async function overflowAt(file: string, width: number): Promise<number> {
  const frame = `${file}.frame.html`;
  await Deno.writeTextFile(
    frame,
    `<iframe src="${toFileUrl(file).href}" style="width:${width}px;height:900px;border:0"></iframe>
    <script>onload = () => {
      const { scrollWidth, clientWidth } = document.querySelector("iframe").contentDocument.documentElement;
      document.body.append("overflow=" + (scrollWidth - clientWidth) + ";");
    };</script>`,
  );
  const dom = await opened(frame, "--dump-dom", "--allow-file-access-from-files", "--window-size=1200,1000");
  const [, pixels] = /overflow=(\d+);/.exec(dom) ?? [];
  assert(pixels !== undefined, "the page was measured");
  return Number(pixels);
}

Deno.test("scan --html in a browser: findings by agent, rule and age, masked", () =>
  withFolder(async (home) => {
    const secrets = plantSecrets(home, ["claude-code", "codex"]);
    const file = join(home, "report.html");
    assertEquals((await program(["scan", "--html", file, "-o", join(home, "out.txt")], { home })).code, 1);
    const page = await Deno.readTextFile(file);
    const dom = await opened(file, "--dump-dom");
    assertSelfContained(page, dom);
    for (const part of ["By agent", "By kind of secret", "By age of the file", "Rotate in this order", "********"]) {
      assertStringIncludes(dom, part);
    }
    for (const secret of secrets) assert(!dom.includes(secret.slice(6, 14)));
    assertEquals(await overflowAt(file, 390), 0, "nothing sticks out of a phone's screen");
  }));

Deno.test("a treemap fills its area in proportion, without overlaps", () => {
  const weights = [600, 600, 400, 300, 200, 200, 100, 1, 0.01];
  const area = { x: 0, y: 0, width: 600, height: 400 };
  const places = squarify(weights, area);
  const total = weights.reduce((sum, weight) => sum + weight);
  places.forEach(({ x, y, width, height }, index) => {
    const wanted = weights[index]! / total * area.width * area.height;
    assert(Math.abs(width * height - wanted) < 1e-6 * area.width * area.height, `area of ${index}`);
    assert(x >= -1e-9 && y >= -1e-9 && x + width <= 600 + 1e-6 && y + height <= 400 + 1e-6, `inside: ${index}`);
  });
  for (const [index, one] of places.entries()) {
    for (const other of places.slice(index + 1)) {
      const overlap = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > 1e-6 &&
        Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) > 1e-6;
      assert(!overlap, JSON.stringify([one, other]));
    }
  }
  assertEquals(squarify([], area), []);
});
