/**
 * Every rule, in groups of providers of one kind. A new rule goes into the table of its group; a new group is named here.
 *
 * @module
 */

import type { Rule } from "../rule.ts";
import { aiModelRules } from "./ai_models.ts";
import { aiServiceRules } from "./ai_services.ts";
import { aiToolRules } from "./ai_tools.ts";
import { analyticsRules } from "./analytics.ts";
import { chatRules } from "./chat.ts";
import { awsRules } from "./cloud_aws.ts";
import { azureRules } from "./cloud_azure.ts";
import { googleRules } from "./cloud_google.ts";
import { commandLineRules } from "./command_line.ts";
import { commerceRules } from "./commerce.ts";
import { configFileRules } from "./config_files.ts";
import { contentServiceRules } from "./content_services.ts";
import { dataApiRules } from "./data_apis.ts";
import { dataStoreRules } from "./data_stores.ts";
import { developerPlatformRules } from "./developer_platforms.ts";
import { financeRules } from "./finance.ts";
import { forgeRules } from "./forges.ts";
import { frameworkRules } from "./frameworks.ts";
import { genericRules } from "./generic.ts";
import { hostingRules } from "./hosting.ts";
import { httpCredentialRules } from "./http_credentials.ts";
import { identityRules } from "./identity.ts";
import { infrastructureRules } from "./infrastructure.ts";
import { mailRules } from "./mail.ts";
import { mediaRules } from "./media.ts";
import { monitoringRules } from "./monitoring.ts";
import { operationRules } from "./operations.ts";
import { paymentRules } from "./payments.ts";
import { pipelineRules } from "./pipelines.ts";
import { privateKeyRules } from "./private_keys.ts";
import { registryRules } from "./registries.ts";
import { telephonyRules } from "./telephony.ts";
import { webhookRules } from "./webhooks.ts";
import { workplaceRules } from "./workplace.ts";

/** Every rule that a pattern states. */
export const RULES: readonly Rule[] = [
  ...aiModelRules,
  ...aiServiceRules,
  ...aiToolRules,
  ...analyticsRules,
  ...chatRules,
  ...awsRules,
  ...azureRules,
  ...googleRules,
  ...commandLineRules,
  ...commerceRules,
  ...configFileRules,
  ...contentServiceRules,
  ...dataApiRules,
  ...dataStoreRules,
  ...developerPlatformRules,
  ...financeRules,
  ...forgeRules,
  ...frameworkRules,
  ...genericRules,
  ...hostingRules,
  ...httpCredentialRules,
  ...identityRules,
  ...infrastructureRules,
  ...mailRules,
  ...mediaRules,
  ...monitoringRules,
  ...operationRules,
  ...paymentRules,
  ...pipelineRules,
  ...privateKeyRules,
  ...registryRules,
  ...telephonyRules,
  ...webhookRules,
  ...workplaceRules,
];
