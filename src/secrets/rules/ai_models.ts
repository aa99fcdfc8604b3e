/**
 * Keys of providers of AI models: chat, embeddings, images, speech.
 *
 * @module
 */

import { mixes, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, HEX, LOWER_ALNUM, sample } from "../sample.ts";
import { assigned } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

/** `AA` closes the base64 of every Anthropic key that is not a session. */
function anthropicKey(kind: string, seed: number): string {
  return `sk-ant-${kind}-${sample(BASE64URL, 93, seed)}AA`;
}

/** The mark in the middle of OpenAI keys: base64 of `OpenAI`. */
const OPENAI_MARK = "T3Blbk" + "FJ";

const letters = ALNUM.slice(10);

/** Keys of AI model providers. */
export const aiModelRules: readonly Rule[] = [
  {
    id: "anthropic",
    display: "Anthropic API key",
    provider: "Anthropic",
    keywords: ["sk-ant-"],
    pattern: /sk-ant-(?:(?:api|oat|ort)\d{2}-[\w-]{93}AA|sid\d{2}-[\w-]{80,120}(?:AA)?)(?![\w-])/,
    entropy: 4,
    valid: mixes,
    rotation:
      "Delete the key at https://platform.claude.com/settings/keys and create another; for an OAuth token or a " +
      "session (oat, ort, sid), log out everywhere at https://claude.ai/settings/account and run `claude auth login`.",
    documentation: "https://platform.claude.com/docs/en/api/overview",
    examples: {
      match: () => [
        `export ANTHROPIC_API_KEY=${anthropicKey("api03", 1)}`,
        `{"accessToken":"${anthropicKey("oat01", 2)}"}`,
        `sessionKey=sk-ant-sid01-${sample(BASE64URL, 86, 3)}AA;`,
      ],
      noMatch: () => [
        `sk-ant-api03-${sample(BASE64URL, 60, 4)}AA`,
        `sk-ant-api03-${sample(BASE64URL, 93, 5)}BB`,
        `sk-ant-api03-${"x".repeat(93)}AA`,
        anthropicKey("admin01", 6),
      ],
    },
  },
  {
    id: "anthropic-admin-key",
    display: "Anthropic Admin API key",
    provider: "Anthropic",
    keywords: ["sk-ant-admin"],
    pattern: /sk-ant-admin\d{2}-[\w-]{93}AA(?![\w-])/,
    entropy: 4,
    rotation: "Delete the key at https://platform.claude.com/settings/admin-keys and create another.",
    documentation: "https://platform.claude.com/docs/en/build-with-claude/administration-api",
    examples: {
      match: () => [`key: ${anthropicKey("admin01", 1)}`, `"${anthropicKey("admin01", 2)}"`],
      noMatch: () => [anthropicKey("api03", 3), `sk-ant-admin01-${sample(BASE64URL, 93, 4)}BB`],
    },
  },
  {
    id: "openai",
    display: "OpenAI API key",
    provider: "OpenAI",
    keywords: ["sk-"],
    pattern:
      /(?<![\w-])sk-(?:(?:(?:proj|svcacct|service|admin|None)-)?[\w-]{20,80}T3BlbkFJ[\w-]{20,80}|(?:proj|svcacct|service|admin)-[\w-]{40,200}|[A-Za-z0-9]{40,64})(?![\w-])/,
    entropy: 4,
    valid: mixesCases,
    rotation: "Revoke the key at https://platform.openai.com/api-keys (admin keys: " +
      "https://platform.openai.com/settings/organization/admin-keys) and create another.",
    documentation: "https://platform.openai.com/docs/api-reference/authentication",
    examples: {
      match: () => [
        `OPENAI_API_KEY=sk-${sample(ALNUM, 20, 1)}${OPENAI_MARK}${sample(ALNUM, 20, 2)}`,
        `"sk-proj-${sample(BASE64URL, 74, 3)}${OPENAI_MARK}${sample(BASE64URL, 74, 4)}"`,
        `sk-svcacct-${sample(BASE64URL, 58, 5)}${OPENAI_MARK}${sample(BASE64URL, 58, 6)}`,
        `'sk-admin-${sample(BASE64URL, 58, 7)}${OPENAI_MARK}${sample(BASE64URL, 58, 8)}'`,
        `Authorization: Bearer sk-${sample(ALNUM, 48, 9)}`,
      ],
      noMatch: () => [
        `sk-${"x".repeat(48)}`,
        `sk-proj-${"X".repeat(60)}`,
        `task-${sample(ALNUM, 48, 1)}`,
        `sk-${sample(HEX, 40, 2)}`,
        anthropicKey("api03", 3),
        `sk-or-v1-${sample(HEX, 64, 4)}`,
      ],
    },
  },
  {
    id: "openai-compatible-api-key",
    display: "API key in OpenAI's style (DeepSeek, Qwen, Moonshot, MiniMax, LiteLLM, ...)",
    provider: "Various",
    keywords: ["sk-"],
    pattern: /(?<![\w-])sk-(?:[0-9a-f]{32}|sp-[0-9a-f]{32}|[a-z]{48}|[a-z0-9]{48}|api-[\w-]{100,140})(?![\w-])/,
    entropy: 3,
    generic: true,
    rotation: "Find the provider by the code around the key and delete it there, e.g. " +
      "https://platform.deepseek.com/api_keys or https://bailian.console.alibabacloud.com/?tab=model#/api-key.",
    documentation: "https://api-docs.deepseek.com/",
    examples: {
      match: () => [
        `DEEPSEEK_API_KEY=sk-${sample(HEX, 32, 1)}`,
        `"sk-${sample(LOWER_ALNUM, 48, 2)}"`,
        `DASHSCOPE_API_KEY=sk-${sample(HEX, 32, 3)}`,
      ],
      noMatch: () => [
        `sk-${"a".repeat(32)}`,
        `disk-${sample(HEX, 32, 1)}`,
        `sk-${sample(HEX, 31, 2)}`,
        `sk-lf-${sample(HEX, 8, 3)}-${sample(HEX, 4, 4)}-${sample(HEX, 4, 5)}-${sample(HEX, 4, 6)}-${
          sample(HEX, 12, 7)
        }`,
      ],
    },
  },
  {
    id: "google-gemini-api-key",
    display: "Google Gemini API key",
    provider: "Google",
    keywords: ["aq.ab8rn6"],
    pattern: /(?<![\w.-])AQ\.Ab8RN6[\w-]{44}(?![\w-])/,
    entropy: 4,
    rotation: "Delete the key at https://aistudio.google.com/apikey and create another.",
    documentation: "https://ai.google.dev/gemini-api/docs/api-key",
    examples: {
      match: () => [
        `GEMINI_API_KEY=AQ.Ab8R${"N6"}${sample(BASE64URL, 44, 1)}`,
        `"AQ.Ab8R${"N6"}${sample(BASE64URL, 44, 2)}"`,
      ],
      noMatch: () => [`AQ.Ab8R${"N6"}...`, `AQ.Ab8R${"N6"}${sample(BASE64URL, 60, 3)}`],
    },
  },
  {
    id: "openrouter-api-key",
    display: "OpenRouter API key",
    provider: "OpenRouter",
    keywords: ["sk-or-v1-"],
    pattern: /(?<![\w-])sk-or-v1-[0-9a-f]{64}(?![\w-])/,
    entropy: 3.3,
    rotation: "Delete the key at https://openrouter.ai/settings/keys and create another.",
    documentation: "https://openrouter.ai/docs/api-reference/authentication",
    examples: {
      match: () => [`OPENROUTER_API_KEY=sk-or-v1-${sample(HEX, 64, 1)}`, `"sk-or-v1-${sample(HEX, 64, 2)}"`],
      noMatch: () => [`sk-or-v1-${sample(HEX, 40, 3)}`, `sk-or-v1-${"0".repeat(64)}`],
    },
  },
  {
    id: "groq-api-key",
    display: "Groq API key",
    provider: "Groq",
    keywords: ["gsk_"],
    pattern: /(?<![\w-])gsk_[A-Za-z0-9]{52}(?![A-Za-z0-9])/,
    entropy: 4,
    valid: mixesCases,
    rotation: "Delete the key at https://console.groq.com/keys and create another.",
    documentation: "https://console.groq.com/docs/quickstart",
    examples: {
      match: () => [`GROQ_API_KEY=gsk_${sample(ALNUM, 52, 1)}`, `'gsk_${sample(ALNUM, 52, 2)}'`],
      noMatch: () => [`gsk_${"x".repeat(52)}`, `gsk_${sample(ALNUM, 40, 3)}`, `xgsk_${sample(ALNUM, 52, 4)}`],
    },
  },
  {
    id: "xai-api-key",
    display: "xAI API key",
    provider: "xAI",
    keywords: ["xai-"],
    pattern: /(?<![\w-])xai-[A-Za-z0-9_]{80}(?![\w-])/,
    entropy: 4.2,
    rotation: "Delete the key at https://console.x.ai (API keys) and create another.",
    documentation: "https://docs.x.ai/docs/overview",
    examples: {
      match: () => [`XAI_API_KEY=xai-${sample(ALNUM, 80, 1)}`, `"xai-${sample(ALNUM, 80, 2)}"`],
      noMatch: () => [`xai-${"y".repeat(80)}`, `xai-${sample(ALNUM, 40, 3)}`, `oxai-${sample(ALNUM, 80, 4)}`],
    },
  },
  {
    id: "mistral-api-key",
    display: "Mistral API key",
    provider: "Mistral AI",
    keywords: ["mistral", "codestral"],
    pattern: assigned(["mistral", "codestral"], "[A-Za-z0-9]{32}", { hints: ["key", "token", "secret"] }),
    entropy: 3.8,
    valid: mixesCases,
    rotation: "Delete the key at https://console.mistral.ai/api-keys and create another.",
    documentation: "https://docs.mistral.ai/getting-started/quickstart/",
    examples: contextExamples("MISTRAL_API_KEY", (seed) => sample(ALNUM, 32, seed)),
  },
  {
    id: "cohere-api-token",
    display: "Cohere API key",
    provider: "Cohere",
    keywords: ["cohere", "co_api_key"],
    pattern: assigned(["cohere", "co_api_key"], "[A-Za-z0-9]{40}"),
    entropy: 4,
    valid: mixesCases,
    rotation: "Delete the key at https://dashboard.cohere.com/api-keys and create another.",
    documentation: "https://docs.cohere.com/reference/about",
    examples: contextExamples("COHERE_API_KEY", (seed) => sample(ALNUM, 40, seed)),
  },
  {
    id: "huggingface",
    display: "Hugging Face access token",
    provider: "Hugging Face",
    keywords: ["hf_"],
    pattern: /(?<![\w-])hf_(?!oauth_)[A-Za-z0-9]{34}(?![\w-])/,
    entropy: 3.5,
    valid: (token) => /[a-z]/.test(token.slice(3)) && /[A-Z]/.test(token),
    rotation: "Invalidate the token at https://huggingface.co/settings/tokens and create another.",
    documentation: "https://huggingface.co/docs/hub/security-tokens",
    examples: {
      match: () => [`HF_TOKEN=hf_${sample(letters, 34, 1)}`, `login(token="hf_${sample(letters, 34, 2)}")`],
      noMatch: () => [
        `hf_${"x".repeat(34)}`,
        `rhf_${sample(letters, 34, 3)}`,
        `hf_${sample(letters, 30, 4)}`,
        `hf_${sample(LOWER_ALNUM.slice(10), 26, 5)}_${sample(LOWER_ALNUM, 7, 6)}`,
      ],
    },
  },
  {
    id: "huggingface-org",
    display: "Hugging Face organization token",
    provider: "Hugging Face",
    keywords: ["api_org_"],
    pattern: /(?<![\w-])api_org_[A-Za-z]{34}(?![\w-])/,
    entropy: 3.5,
    valid: (token) => /[a-z]/.test(token.slice(8)) && /[A-Z]/.test(token),
    rotation: "Invalidate the token in the organization's settings at https://huggingface.co/settings/organizations.",
    documentation: "https://huggingface.co/docs/hub/security-tokens",
    examples: {
      match: () => [`'api_org_${sample(letters, 34, 1)}'`, `hf_token = "api_org_${sample(letters, 34, 2)}"`],
      noMatch: () => [`api_org_${"x".repeat(34)}`, `_api_org_${sample(HEX, 8, 3)}_${sample(HEX, 4, 4)}`],
    },
  },
  {
    id: "replicate-api-token",
    display: "Replicate API token",
    provider: "Replicate",
    keywords: ["r8_"],
    pattern: /(?<![\w-])r8_[A-Za-z0-9]{37}(?![\w-])/,
    entropy: 3.8,
    valid: mixesCases,
    rotation: "Delete the token at https://replicate.com/account/api-tokens and create another.",
    documentation: "https://replicate.com/docs/topics/security/api-tokens",
    examples: {
      match: () => [`REPLICATE_API_TOKEN=r8_${sample(ALNUM, 37, 1)}`, `"r8_${sample(ALNUM, 37, 2)}"`],
      noMatch: () => [`r8_${"z".repeat(37)}`, `r8_${sample(ALNUM, 30, 3)}`, `ver8_${sample(ALNUM, 37, 4)}`],
    },
  },
  {
    id: "perplexity-api-key",
    display: "Perplexity API key",
    provider: "Perplexity",
    keywords: ["pplx-"],
    pattern: /(?<![\w-])pplx-[A-Za-z0-9]{48}(?![\w-])/,
    entropy: 3.2,
    valid: mixes,
    rotation: "Delete the key at https://www.perplexity.ai/account/api/keys and create another.",
    documentation: "https://docs.perplexity.ai/getting-started/quickstart",
    examples: {
      match: () => [`PERPLEXITY_API_KEY=pplx-${sample(ALNUM, 48, 1)}`, `"pplx-${sample(HEX, 48, 2)}"`],
      noMatch: () => [`pplx-${"x".repeat(48)}`, `pplx-${sample(ALNUM, 30, 3)}`],
    },
  },
  {
    id: "together-api-key",
    display: "Together AI API key",
    provider: "Together AI",
    keywords: ["tgp_v1_"],
    pattern: /(?<![\w-])tgp_v1_[\w-]{43}(?![\w-])/,
    entropy: 4,
    rotation: "Delete the key at https://api.together.ai/settings/api-keys and create another.",
    documentation: "https://docs.together.ai/reference/authentication-1",
    examples: {
      match: () => [
        `Together(api_key="tgp_v1_${sample(BASE64URL, 43, 1)}")`,
        `TOGETHER_API_KEY=tgp_v1_${sample(BASE64URL, 43, 2)}`,
      ],
      noMatch: () => [`tgp_v1_${"x".repeat(43)}`, `tgp_v2_${sample(BASE64URL, 43, 3)}`],
    },
  },
  {
    id: "together-api-key-legacy",
    display: "Together AI API key (64 hexadecimal digits)",
    provider: "Together AI",
    keywords: ["together"],
    pattern: assigned(["together"], "[0-9a-f]{64}", { hints: ["key", "token"] }),
    entropy: 3.3,
    rotation: "Delete the key at https://api.together.ai/settings/api-keys and create another.",
    documentation: "https://docs.together.ai/reference/authentication-1",
    examples: contextExamples("TOGETHER_API_KEY", (seed) => sample(HEX, 64, seed)),
  },
];
