/**
 * Keys of the tools around AI models: tracing, vector stores, search and scraping for agents, sandboxes, coding agents.
 *
 * @module
 */

import { mixes, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, HEX, LOWER_ALNUM, sample } from "../sample.ts";
import { assigned, CREDENTIAL_HINTS, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

function uuid(seed: number): string {
  const hex = sample(HEX, 32, seed);
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([start, end]) => hex.slice(start, end)).join("-");
}

/** Keys of tools around AI models. */
export const aiToolRules: readonly Rule[] = [
  {
    id: "langsmith-api-key",
    display: "LangSmith API key",
    provider: "LangChain",
    keywords: ["lsv2_pt_", "lsv2_sk_"],
    pattern: /(?<![A-Za-z0-9_])lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}(?![\w-])/,
    entropy: 3.2,
    rotation: "Delete the key at https://smith.langchain.com/settings (API Keys) and create another.",
    documentation: "https://docs.langchain.com/langsmith/create-account-api-key",
    examples: {
      match: () => [
        `LANGSMITH_API_KEY=lsv2_pt_${sample(HEX, 32, 1)}_${sample(HEX, 10, 2)}`,
        `"lsv2_sk_${sample(HEX, 32, 3)}_${sample(HEX, 10, 4)}"`,
      ],
      noMatch: () => [`lsv2_pt_${"0".repeat(32)}_${"0".repeat(10)}`, `lsv2_pt_${sample(HEX, 32, 5)}`],
    },
  },
  {
    id: "langfuse-secret-key",
    display: "Langfuse secret key",
    provider: "Langfuse",
    keywords: ["sk-lf-"],
    pattern: /(?<![\w-])sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/,
    entropy: 3.2,
    rotation:
      "Delete the key pair in the project's settings (API Keys) at https://cloud.langfuse.com and create another.",
    documentation: "https://langfuse.com/docs/api",
    examples: {
      match: () => [`LANGFUSE_SECRET_KEY=sk-lf-${uuid(1)}`, `"sk-lf-${uuid(2)}"`],
      noMatch: () => [`pk-lf-${uuid(3)}`, `sk-lf-00000000-0000-0000-0000-000000000000`],
    },
  },
  {
    id: "pinecone-api-key",
    display: "Pinecone API key",
    provider: "Pinecone",
    keywords: ["pcsk_"],
    pattern: /(?<![A-Za-z0-9_])pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,66}(?![\w-])/,
    entropy: 4,
    valid: mixesCases,
    rotation: "Delete the key at https://app.pinecone.io (API keys) and create another.",
    documentation: "https://docs.pinecone.io/guides/projects/manage-api-keys",
    examples: {
      match: () => [
        `PINECONE_API_KEY=pcsk_${sample(ALNUM, 6, 1)}_${sample(ALNUM, 63, 2)}`,
        `"pcsk_${sample(ALNUM, 5, 3)}_${sample(ALNUM, 63, 4)}"`,
      ],
      noMatch: () => [`pcsk_xxxxx_${"x".repeat(63)}`, `pcsk_${sample(ALNUM, 63, 5)}`],
    },
  },
  {
    id: "pinecone-api-key-legacy",
    display: "Pinecone API key (UUID)",
    provider: "Pinecone",
    keywords: ["pinecone"],
    pattern: assigned(["pinecone"], UUID, { hints: ["key", "token"] }),
    entropy: 3,
    rotation: "Delete the key at https://app.pinecone.io (API keys) and create another.",
    documentation: "https://docs.pinecone.io/guides/projects/manage-api-keys",
    examples: contextExamples("PINECONE_API_KEY", uuid),
  },
  {
    id: "wandb-api-key",
    display: "Weights & Biases API key",
    provider: "Weights & Biases",
    keywords: ["wandb"],
    pattern: assigned(["wandb"], "[0-9a-f]{40}", { hints: CREDENTIAL_HINTS.concat("login") }),
    entropy: 3.2,
    rotation: "Delete the key at https://wandb.ai/settings#apikeys and create another.",
    documentation: "https://docs.wandb.ai/guides/track/environment-variables/",
    examples: contextExamples("WANDB_API_KEY", (seed) => sample(HEX, 40, seed)),
  },
  {
    id: "wandb-api-key-v1",
    display: "Weights & Biases API key (v1)",
    provider: "Weights & Biases",
    keywords: ["wandb_v1_"],
    pattern: /(?<![A-Za-z0-9_])wandb_v1_[A-Za-z0-9]{27}_[A-Za-z0-9]{49}(?![\w-])/,
    entropy: 4.2,
    rotation: "Delete the key at https://wandb.ai/settings#apikeys and create another.",
    documentation: "https://docs.wandb.ai/guides/track/environment-variables/",
    examples: {
      match: () => [
        `wandb.login("wandb_v1_${sample(ALNUM, 27, 1)}_${sample(ALNUM, 49, 2)}")`,
        `WANDB_KEY=wandb_v1_${sample(ALNUM, 27, 3)}_${sample(ALNUM, 49, 4)}`,
      ],
      noMatch: () => [`wandb_v1_${"x".repeat(27)}_${"x".repeat(49)}`, `wandb_v1_${sample(ALNUM, 40, 5)}`],
    },
  },
  {
    id: "tavily-api-key",
    display: "Tavily API key",
    provider: "Tavily",
    keywords: ["tvly-"],
    pattern: /(?<![\w-])tvly-(?:(?:dev|prod)-)?(?:[A-Za-z0-9]{32}|[A-Za-z0-9]{5,6}-[A-Za-z0-9]{40,46})(?![\w-])/,
    entropy: 3.8,
    valid: mixes,
    rotation: "Delete the key at https://app.tavily.com/home and create another.",
    documentation: "https://docs.tavily.com/documentation/quickstart",
    examples: {
      match: () => [
        `TAVILY_API_KEY=tvly-dev-${sample(ALNUM, 32, 1)}`,
        `"tvly-${sample(ALNUM, 32, 2)}"`,
        `tvly-dev-${sample(ALNUM, 5, 3)}-${sample(ALNUM, 42, 4)}`,
      ],
      noMatch: () => [`tvly-${"x".repeat(32)}`, `tvly-dev-${sample(ALNUM, 20, 5)}`],
    },
  },
  {
    id: "exa-api-key",
    display: "Exa API key",
    provider: "Exa",
    keywords: nameKeywords(["exa api"]),
    pattern: assigned(["exa api"], UUID, { wholeWord: true, hints: ["key"] }),
    entropy: 3,
    rotation: "Delete the key at https://dashboard.exa.ai/api-keys and create another.",
    documentation: "https://docs.exa.ai/reference/getting-started",
    examples: contextExamples("EXA_API_KEY", uuid),
  },
  {
    id: "firecrawl-api-key",
    display: "Firecrawl API key",
    provider: "Firecrawl",
    keywords: ["fc-"],
    pattern: /(?<![\w-])fc-[0-9a-f]{32}(?![\w-])/,
    entropy: 3,
    rotation: "Delete the key at https://www.firecrawl.dev/app/api-keys and create another.",
    documentation: "https://docs.firecrawl.dev/introduction",
    examples: {
      match: () => [`FIRECRAWL_API_KEY=fc-${sample(HEX, 32, 1)}`, `"fc-${sample(HEX, 32, 2)}"`],
      noMatch:
        () => [`fc-${"a".repeat(32)}`, `${sample(HEX, 6, 3)}fc-${sample(HEX, 32, 4)}`, `fc-${sample(HEX, 40, 5)}`],
    },
  },
  {
    id: "serper-api-key",
    display: "Serper or SerpApi key",
    provider: "Serper",
    keywords: ["serper", ...nameKeywords(["serp api"])],
    pattern: assigned(["serper", "serp api"], "[0-9a-f]{40}(?:[0-9a-f]{24})?"),
    entropy: 3.2,
    rotation: "Regenerate the key at https://serper.dev/api-keys (SerpApi: https://serpapi.com/manage-api-key).",
    documentation: "https://serper.dev/playground",
    examples: contextExamples("SERPER_API_KEY", (seed) => sample(HEX, 40, seed)),
  },
  {
    id: "brave-search-api-key",
    display: "Brave Search API key",
    provider: "Brave",
    keywords: ["brave"],
    pattern: assigned(["brave"], "BSA[\\w-]{24,30}"),
    entropy: 3.6,
    valid: mixesCases,
    rotation: "Delete the key at https://api-dashboard.search.brave.com/app/keys and create another.",
    documentation: "https://api-dashboard.search.brave.com/app/documentation",
    examples: contextExamples("BRAVE_API_KEY", (seed) => `BSA${sample(BASE64URL, 28, seed)}`),
  },
  {
    id: "apify-api-token",
    display: "Apify API token",
    provider: "Apify",
    keywords: ["apify_api_"],
    pattern: /(?<![A-Za-z0-9_])apify_api_[A-Za-z0-9]{34,38}(?![\w-])/,
    entropy: 3.8,
    valid: mixes,
    rotation: "Delete the token at https://console.apify.com/settings/integrations and create another.",
    documentation: "https://docs.apify.com/platform/integrations/api",
    examples: {
      match: () => [`APIFY_TOKEN=apify_api_${sample(ALNUM, 36, 1)}`, `"apify_api_${sample(ALNUM, 36, 2)}"`],
      noMatch: () => [`apify_api_${"x".repeat(36)}`, `apify_api_${sample(ALNUM, 20, 3)}`],
    },
  },
  {
    id: "llamacloud-api-key",
    display: "LlamaCloud API key",
    provider: "LlamaIndex",
    keywords: ["llx-"],
    pattern: /(?<![\w-])llx-[A-Za-z0-9]{48}(?![\w-])/,
    entropy: 4,
    valid: mixesCases,
    rotation: "Delete the key at https://cloud.llamaindex.ai/api-key and create another.",
    documentation: "https://docs.cloud.llamaindex.ai/api_key",
    examples: {
      match: () => [`LLAMA_CLOUD_API_KEY=llx-${sample(ALNUM, 48, 1)}`, `"llx-${sample(ALNUM, 48, 2)}"`],
      noMatch: () => [`llx-${"x".repeat(48)}`, `llx-${sample(ALNUM, 30, 3)}`],
    },
  },
  {
    id: "e2b-api-key",
    display: "E2B API key",
    provider: "E2B",
    keywords: ["e2b_"],
    pattern: /(?<![A-Za-z0-9_])e2b_[0-9a-f]{40}(?![\w-])/,
    entropy: 3.2,
    rotation: "Delete the key at https://e2b.dev/dashboard?tab=keys and create another.",
    documentation: "https://e2b.dev/docs/api-key",
    examples: {
      match: () => [`E2B_API_KEY=e2b_${sample(HEX, 40, 1)}`, `"e2b_${sample(HEX, 40, 2)}"`],
      noMatch: () => [`e2b_${"0".repeat(40)}`, `e2b_${sample(HEX, 32, 3)}`],
    },
  },
  {
    id: "vercel-ai-gateway-api-key",
    display: "Vercel AI Gateway API key",
    provider: "Vercel",
    keywords: ["vck_"],
    pattern: /(?<![A-Za-z0-9_])vck_[A-Za-z0-9]{56}(?![\w-])/,
    entropy: 4.2,
    valid: mixesCases,
    rotation: "Delete the key in the AI Gateway tab of https://vercel.com/dashboard and create another.",
    documentation: "https://vercel.com/docs/ai-gateway/authentication-and-byok",
    examples: {
      match: () => [`AI_GATEWAY_API_KEY=vck_${sample(ALNUM, 56, 1)}`, `"vck_${sample(ALNUM, 56, 2)}"`],
      noMatch: () => [`vck_${"x".repeat(56)}`, `vck_${sample(ALNUM, 30, 3)}`],
    },
  },
  {
    id: "cursor-api-key",
    display: "Cursor API key",
    provider: "Cursor",
    keywords: ["crsr_", "key_"],
    pattern: /(?<![A-Za-z0-9_])(?:crsr|key)_[0-9a-f]{64}(?![\w-])/,
    entropy: 3.3,
    rotation: "Delete the key at https://cursor.com/dashboard?tab=integrations and create another.",
    documentation: "https://docs.cursor.com/en/cli/reference/authentication",
    examples: {
      match: () => [`CURSOR_API_KEY=key_${sample(HEX, 64, 1)}`, `"crsr_${sample(HEX, 64, 2)}"`],
      noMatch: () => [`key_${"0".repeat(64)}`, `api_key_${sample(HEX, 64, 3)}`, `key_${sample(HEX, 40, 4)}`],
    },
  },
  {
    id: "sourcegraph-amp-api-key",
    display: "Amp API key",
    provider: "Sourcegraph",
    keywords: ["sgamp_"],
    pattern: /(?<![A-Za-z0-9_])sgamp_(?:user_)?[\w-]{40,130}(?![\w-])/,
    entropy: 3.5,
    valid: mixes,
    rotation: "Delete the key at https://ampcode.com/settings and create another.",
    documentation: "https://ampcode.com/manual",
    examples: {
      match: () => [
        `AMP_API_KEY=sgamp_user_${sample(ALNUM, 26, 1)}_${sample(HEX, 64, 2)}`,
        `"sgamp_${sample(HEX, 64, 3)}"`,
      ],
      noMatch: () => [`sgamp_${"x".repeat(64)}`, `sgamp_${sample(HEX, 20, 4)}`],
    },
  },
  {
    id: "devin-api-key",
    display: "Devin API key",
    provider: "Cognition",
    keywords: ["apk_user_", "cog_"],
    pattern: /(?<![A-Za-z0-9_])(?:apk_user_[A-Za-z0-9+/]{80,180}={0,2}|cog_[a-z2-7]{52})(?![\w+/=-])/,
    entropy: 4,
    rotation: "Revoke the key at https://app.devin.ai/settings/api-keys and create another.",
    documentation: "https://docs.devin.ai/api-reference/authentication",
    examples: {
      match: () => [
        `DEVIN_API_KEY=apk_user_${sample(ALNUM, 120, 1)}==`,
        `"cog_${sample("abcdefghijklmnopqrstuvwxyz234567", 52, 2)}"`,
      ],
      noMatch: () => [`apk_user_${"x".repeat(120)}`, `cog_${sample(LOWER_ALNUM, 40, 3)}`],
    },
  },
  {
    id: "helicone-api-key",
    display: "Helicone API key",
    provider: "Helicone",
    keywords: ["sk-helicone-"],
    pattern: /(?<![\w-])sk-helicone-(?:[a-z]{2}-)?[a-z0-9]{7}(?:-[a-z0-9]{7}){3}(?![\w-])/,
    entropy: 3,
    valid: mixes,
    rotation: "Delete the key at https://us.helicone.ai/settings/api-keys and create another.",
    documentation: "https://docs.helicone.ai/helicone-headers/helicone-auth",
    examples: {
      match: () =>
        [1, 2].map((seed) =>
          `Bearer sk-helicone-${[1, 2, 3, 4].map((part) => sample(LOWER_ALNUM, 7, seed * 9 + part)).join("-")}`
        ),
      noMatch: () => ["sk-helicone-xxxxxxx-xxxxxxx-xxxxxxx-xxxxxxx", `sk-helicone-${sample(LOWER_ALNUM, 7, 3)}`],
    },
  },
  {
    id: "mem0-api-key",
    display: "Mem0 API key",
    provider: "Mem0",
    keywords: ["mem0"],
    pattern: assigned(["mem0"], "m0-[A-Za-z0-9]{40}"),
    entropy: 4,
    valid: mixesCases,
    rotation: "Delete the key at https://app.mem0.ai/dashboard/api-keys and create another.",
    documentation: "https://docs.mem0.ai/platform/quickstart",
    examples: contextExamples("MEM0_API_KEY", (seed) => `m0-${sample(ALNUM, 40, seed)}`),
  },
];
