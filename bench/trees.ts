/**
 * Trees for the benchmarks.
 *
 * @module
 */

/**
 * Makes a project with a `node_modules` of about `files` files, in the shape of real ones: packages with a few folders,
 * ten files each, sizes from 100 bytes to 9 KB.
 */
export async function makeModules(project: string, files: number): Promise<void> {
  const sizes = [100, 900, 3_000, 9_000];
  const content = sizes.map((size) => new Uint8Array(size).fill(0x78));
  await Deno.mkdir(project, { recursive: true });
  await Deno.writeTextFile(`${project}/package.json`, "{}");
  for (let written = 0, folder = 0; written < files; folder++) {
    const path = `${project}/node_modules/package-${Math.floor(folder / 12)}/lib/part-${folder % 12}`;
    Deno.mkdirSync(path, { recursive: true });
    for (let index = 0; index < 10 && written < files; index++, written++) {
      Deno.writeFileSync(`${path}/file-${index}.js`, content[(written * 7 + index) % sizes.length]!);
    }
  }
}

/** Makes `projects` small projects, each with sources and a target of a dozen files, three levels deep. */
export function makeProjects(root: string, projects: number): void {
  for (let index = 0; index < projects; index++) {
    const project = `${root}/group-${index % 20}/team-${index % 7}/project-${index}`;
    for (const folder of ["src/api", "src/web/pages", "docs", "tests/unit", "node_modules/a", "node_modules/b"]) {
      Deno.mkdirSync(`${project}/${folder}`, { recursive: true });
      for (let file = 0; file < 6; file++) {
        Deno.writeTextFileSync(`${project}/${folder}/file-${file}.txt`, "x".repeat(300));
      }
    }
    Deno.writeTextFileSync(`${project}/package.json`, "{}");
  }
}
