/**
 * Credentials of Microsoft Azure and Microsoft Entra.
 *
 * @module
 */

import { isNotHex, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE64, BASE64URL, DIGITS, HEX, LOWER_ALNUM, sample } from "../sample.ts";
import { assigned, nameKeywords } from "./_assigned.ts";

/** The published key of the storage emulator: the same on every machine. */
const EMULATOR_KEY = ["eby8vdm02xnocqflquwjpllm", "c2y6djwsqqa2"];

/** 64 bytes of base64 as Azure writes them. */
function storageKey(seed: number): string {
  return `${sample(BASE64, 85, seed)}A==`;
}

const STORAGE_NAMES = ["account key", "storage key", "storage account access key", "azure storage"];

/** Credentials of Microsoft Azure. */
export const azureRules: readonly Rule[] = [
  {
    id: "azure-storage-account-key",
    display: "Azure Storage or Cosmos DB account key",
    provider: "Microsoft",
    keywords: nameKeywords(STORAGE_NAMES),
    pattern: assigned(STORAGE_NAMES, "[A-Za-z0-9+/]{86}=="),
    entropy: 4.5,
    stopWords: EMULATOR_KEY,
    rotation:
      "Rotate the key: az storage account keys renew --account-name NAME --key key1 (Cosmos DB: az cosmosdb keys " +
      "regenerate), or Access keys of the account in https://portal.azure.com.",
    documentation: "https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage",
    examples: {
      match: () => [
        `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${storageKey(1)};EndpointSuffix=core.windows.net`,
        `AZURE_STORAGE_KEY="${storageKey(2)}"`,
      ],
      noMatch: () => [
        "AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlm" + `${sample(BASE64, 62, 3)}==`,
        `AccountKey=${sample(BASE64, 43, 4)}=`,
        `AccountKey=${"A".repeat(86)}==`,
      ],
    },
  },
  {
    id: "azure-shared-access-key",
    display: "Azure Service Bus, Event Hubs, Relay or IoT Hub key",
    provider: "Microsoft",
    keywords: ["sharedaccesskey"],
    pattern: /SharedAccessKey["']?\s{0,2}[=:]\s{0,2}["']?(?<secret>[A-Za-z0-9+/]{43}=)(?![A-Za-z0-9+/=])/,
    entropy: 4,
    rotation:
      "Regenerate the key of the policy: az servicebus namespace authorization-rule keys renew (Event Hubs: az " +
      "eventhubs namespace authorization-rule keys renew), or Shared access policies in https://portal.azure.com.",
    documentation: "https://learn.microsoft.com/azure/service-bus-messaging/service-bus-sas",
    examples: {
      match: () => [
        `Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${sample(BASE64, 43, 1)}=`,
        `HostName=acme.azure-devices.net;SharedAccessKeyName=iothubowner;SharedAccessKey=${sample(BASE64, 43, 2)}=`,
      ],
      noMatch: () => [`SharedAccessKey=${"x".repeat(43)}=`, "SharedAccessKey=<key>", "SharedAccessKeyName=RootManage"],
    },
  },
  {
    id: "azure-app-configuration-secret",
    display: "Azure App Configuration or Communication Services connection string",
    provider: "Microsoft",
    keywords: [".azconfig.io", ".communication.azure.com"],
    pattern:
      /https:\/\/[\w.-]{1,80}\.(?:azconfig\.io|communication\.azure\.com)\/?;(?:Id=[^;\s"']{4,80};Secret|accesskey)=(?<secret>[A-Za-z0-9+/]{40,120}={0,2})/,
    entropy: 4,
    rotation:
      "Regenerate the key: az appconfig credential regenerate --name NAME --id ID (Communication Services: az " +
      "communication regenerate-key), or Access keys of the resource in https://portal.azure.com.",
    documentation: "https://learn.microsoft.com/azure/azure-app-configuration/howto-disable-access-key-authentication",
    examples: {
      match: () => [
        `Endpoint=https://acme.azconfig.io;Id=${sample(ALNUM, 12, 1)};Secret=${sample(BASE64, 43, 2)}=`,
        `endpoint=https://acme.communication.azure.com/;accesskey=${sample(BASE64, 86, 3)}==`,
      ],
      noMatch: () => ["Endpoint=https://acme.azconfig.io;Id=abcd;Secret=<secret>", "https://acme.azconfig.io/kv"],
    },
  },
  {
    id: "azure-sas-token",
    display: "Azure shared access signature",
    provider: "Microsoft",
    keywords: ["sig="],
    pattern: /[?&]sig=(?<secret>[A-Za-z0-9+/%]{43,90}(?:%3[Dd]|=))(?![A-Za-z0-9+/%=])/,
    entropy: 4,
    valid: mixesCases,
    rotation:
      "Rotate the account key that signed it (az storage account keys renew --account-name NAME --key key1) or " +
      "remove its stored access policy; it ends by itself at the time in se=.",
    documentation: "https://learn.microsoft.com/azure/storage/common/storage-sas-overview",
    examples: {
      match: () => [
        `https://a.blob.core.windows.net/c?sv=2024-11-04&se=2030-01-01&sr=c&sp=rl&sig=${sample(ALNUM, 43, 1)}%3D`,
        `SharedAccessSignature sr=a&sig=${sample(ALNUM, 30, 2)}%2B${sample(ALNUM, 12, 3)}%3D&se=1`,
      ],
      noMatch: () => ["?sv=2024-11-04&sig=REDACTED", `&sig=${"x".repeat(43)}%3D`, `&sig=${sample(HEX, 64, 4)}`],
    },
  },
  {
    id: "azure-logic-app-url",
    display: "Azure Logic Apps or Power Automate trigger URL",
    provider: "Microsoft",
    keywords: ["/triggers/manual/paths/invoke", "/workflows/"],
    pattern:
      /https:\/\/[\w.-]{5,120}(?::443)?\/(?:powerautomate\/automations\/direct\/)?workflows\/[0-9a-f]{32}\/triggers\/\w{1,40}\/(?:paths\/invoke|run)[^\s"'<>]{0,200}[?&;]sig=(?<secret>[\w-]{43})(?![\w-])/,
    entropy: 4,
    rotation: "Regenerate the access key of the workflow (Logic App > Access keys > Regenerate) in " +
      "https://portal.azure.com; in Power Automate, recreate the trigger.",
    documentation: "https://learn.microsoft.com/azure/logic-apps/logic-apps-securing-a-logic-app",
    examples: {
      match: () =>
        [1, 2].map((seed) =>
          `https://prod-12.westeurope.logic.azure.com:443/workflows/${
            sample(HEX, 32, seed)
          }/triggers/manual/paths/invoke` +
          `?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${sample(BASE64URL, 43, seed + 9)}`
        ),
      noMatch: () => [
        `https://prod-12.westeurope.logic.azure.com/workflows/${
          sample(HEX, 32, 3)
        }/triggers/manual/paths/invoke?sig=...`,
        "https://github.com/acme/app/actions/workflows/ci.yml",
      ],
    },
  },
  {
    id: "azure-ad-client-secret",
    display: "Microsoft Entra (Azure AD) client secret",
    provider: "Microsoft",
    keywords: [...DIGITS].map((digit) => `${digit}q~`),
    pattern: /(?<![\w~.-])[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/,
    entropy: 3.8,
    valid: mixesCases,
    rotation:
      "Remove the secret and add another: az ad app credential reset --id APP_ID, or Certificates & secrets of the " +
      "app registration in https://entra.microsoft.com.",
    documentation: "https://learn.microsoft.com/entra/identity-platform/how-to-add-credentials",
    examples: {
      match: () => [
        `client_secret=${sample(ALNUM, 3, 1)}8Q~${sample(`${ALNUM}~.-_`, 34, 2)}`,
        `"AZURE_CLIENT_SECRET": "${sample(ALNUM, 3, 3)}7Q~${sample(ALNUM, 32, 4)}"`,
      ],
      noMatch: () => [
        `client_secret=bP88Q~${"x".repeat(34)}`,
        `abc8Q~${sample(ALNUM, 20, 5)}`,
        `a/abc8Q~${sample(ALNUM, 60, 6)}`,
      ],
    },
  },
  {
    id: "azure-annotated-key",
    display: "Azure key with a provider mark (DevOps, OpenAI, Functions, Search, Container Registry, Redis, ...)",
    provider: "Microsoft",
    keywords: ["jqqj9", "azfu", "azse", "+acr", "azca", "+asb", "+aeh", "+arm", "+aba", "+ast", "acdb", "aiot", "apim"],
    pattern:
      /(?<![\w+/-])(?:[A-Za-z0-9]{52}JQQJ9[9DH][A-Za-z0-9]{26}|[\w-]{44}AzFu[\w-]{5}[AQgw]==|[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}|[A-Za-z0-9+/]{42}\+ACR[A-D][A-Za-z0-9+/]{5}|[A-Za-z0-9]{33}AzCa[A-P][A-Za-z0-9]{5}=|[A-Za-z0-9+/]{33}(?:\+ASb|\+AEh|\+ARm|AIoT)[A-Za-z0-9+/]{5}=|[A-Za-z0-9+/]{76}(?:\+ASt|\+ABa|ACDb|APIM)[A-Za-z0-9+/]{5}[AQgw]==)(?![\w+/=-])/,
    entropy: 4,
    valid: (key) => isNotHex(key) && mixesCases(key),
    rotation:
      "Regenerate the key on the resource's Keys page in https://portal.azure.com; personal access tokens of Azure " +
      "DevOps: https://dev.azure.com/ORGANIZATION/_usersSettings/tokens.",
    documentation: "https://learn.microsoft.com/purview/sit-defn-azure-storage-account-key",
    examples: {
      match: () => [
        `AZURE_DEVOPS_PAT=${sample(ALNUM, 52, 1)}JQQJ99BKACAAAAAAA${sample(ALNUM, 7, 2)}AZDO${sample(ALNUM, 4, 3)}`,
        `x-functions-key: ${sample(BASE64URL, 44, 4)}AzFu${sample(ALNUM, 5, 5)}Q==`,
        `docker login acme.azurecr.io -p ${sample(ALNUM, 42, 6)}+ACRA${sample(ALNUM, 5, 7)}`,
      ],
      noMatch: () => [
        `${"A".repeat(52)}JQQJ99${"A".repeat(26)}`,
        `${sample(ALNUM, 40, 8)}AzFu${sample(ALNUM, 80, 9)}`,
        `${sample(BASE64, 200, 1)}+ACRA${sample(BASE64, 200, 2)}`,
      ],
    },
  },
  {
    id: "azure-devops-pat",
    display: "Azure DevOps personal access token (52 characters)",
    provider: "Microsoft",
    keywords: nameKeywords(["azure devops", "system access token", "vsts", "ado pat"]),
    pattern: assigned(["azure devops", "system access token", "vsts", "ado pat"], "[a-z2-7]{52}"),
    entropy: 3.9,
    rotation: "Revoke the token at https://dev.azure.com/ORGANIZATION/_usersSettings/tokens and create another.",
    documentation:
      "https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate",
    examples: {
      match: () => [
        `AZURE_DEVOPS_EXT_PAT=${sample(LOWER_ALNUM.replace(/[0189]/g, ""), 52, 1)}`,
        `"azureDevOpsToken": "${sample(LOWER_ALNUM.replace(/[0189]/g, ""), 52, 2)}"`,
      ],
      noMatch: () => [`AZURE_DEVOPS_EXT_PAT=${"a".repeat(52)}`, `vsts: ${sample(HEX, 40, 3)}`],
    },
  },
];
