/**
 * Credentials of Amazon Web Services and Alibaba Cloud.
 *
 * @module
 */

import { isNotHex, mixes, mixesCases } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, BASE32, BASE64, HEX, LOWER_ALNUM, sample } from "../sample.ts";
import { assigned, nameKeywords } from "./_assigned.ts";
import { contextExamples } from "./_examples.ts";

const AWS_ROTATION =
  "Deactivate, then delete the key: aws iam update-access-key --access-key-id ID --status Inactive, " +
  "or https://console.aws.amazon.com/iam/home#/security_credentials; create another with aws iam create-access-key.";

const SECRET_NAMES = ["secret access key", "aws secret", "secret key"];

/** Credentials of Amazon Web Services. */
export const awsRules: readonly Rule[] = [
  {
    id: "aws-access-key",
    display: "AWS access key id",
    provider: "Amazon Web Services",
    keywords: ["akia", "abia", "acca"],
    pattern: /(?<![A-Za-z0-9_])(?:AKIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9_])/,
    entropy: 3,
    stopWords: ["example"],
    rotation: AWS_ROTATION,
    documentation: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html",
    examples: {
      match: () => [
        `aws_access_key_id = AKIA${sample(BASE32, 16, 1)}`,
        `"AccessKeyId": "AKIA${sample(BASE32, 16, 2)}"`,
        `key=ABIA${sample(BASE32, 16, 3)}`,
      ],
      noMatch: () => [
        "AKIA" + "IOSFODNN7EXAMPLE",
        `AKIA${"X".repeat(16)}`,
        `AKIA${sample(BASE32, 12, 4)}`,
        `${sample(BASE64, 8, 5)}AKIA${sample(BASE32, 24, 6)}`,
        `akia${sample(LOWER_ALNUM, 16, 7)}`,
      ],
    },
  },
  {
    id: "aws-session-token",
    display: "AWS temporary access key id",
    provider: "Amazon Web Services",
    keywords: ["asia"],
    pattern: /(?<![A-Za-z0-9_])ASIA[A-Z0-9]{16}(?![A-Za-z0-9_])/,
    entropy: 3,
    stopWords: ["example"],
    rotation:
      "Revoke the role's sessions: IAM > Roles > Revoke sessions at https://console.aws.amazon.com/iam/home#/roles; " +
      "the key expires by itself after at most 36 hours.",
    documentation: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_use-resources.html",
    examples: {
      match: () => [`AWS_ACCESS_KEY_ID=ASIA${sample(BASE32, 16, 1)}`, `"ASIA${sample(BASE32, 16, 2)}"`],
      noMatch: () => [`TODAYINASIA${sample(BASE32, 16, 3)}`, "ASIA" + "IOSFODNN7EXAMPLE", "ASIAPACIFICREGIONAL"],
    },
  },
  {
    id: "aws-secret-access-key",
    display: "AWS secret access key",
    provider: "Amazon Web Services",
    keywords: nameKeywords(SECRET_NAMES),
    pattern: assigned(SECRET_NAMES, "[A-Za-z0-9/+]{40}"),
    entropy: 4,
    valid: (secret) => isNotHex(secret) && mixesCases(secret),
    stopWords: ["example"],
    rotation: AWS_ROTATION,
    documentation: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html",
    examples: contextExamples("AWS_SECRET_ACCESS_KEY", (seed) => sample(BASE64, 40, seed)),
  },
  {
    id: "aws-sts-session-token",
    display: "AWS session token",
    provider: "Amazon Web Services",
    keywords: ["iqojb3jpz2lu", "fwogzxivyxdz", "fqogzxivyxdz"],
    pattern: /(?<![A-Za-z0-9+/])(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)[A-Za-z0-9+/]{100,2000}={0,2}(?![A-Za-z0-9+/=])/,
    entropy: 4.5,
    rotation:
      "Revoke the role's sessions: IAM > Roles > Revoke sessions at https://console.aws.amazon.com/iam/home#/roles.",
    documentation: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_use-resources.html",
    examples: {
      match: () => [
        `AWS_SESSION_TOKEN=IQoJb3JpZ2lu${sample(BASE64, 400, 1)}=`,
        `"SessionToken": "FwoGZXIvYXdz${sample(BASE64, 300, 2)}"`,
      ],
      noMatch: () => ["IQoJb3JpZ2lu...", `IQoJb3JpZ2lu${"A".repeat(200)}`, `IQoJb3JpZ2lu${sample(BASE64, 40, 3)}`],
    },
  },
  {
    id: "aws-bedrock-api-key-long-lived",
    display: "Amazon Bedrock API key (long-lived)",
    provider: "Amazon Web Services",
    keywords: ["absk"],
    pattern: /(?<![A-Za-z0-9+/])ABSK[A-Za-z0-9+/]{109,269}={0,2}(?![A-Za-z0-9+/=])/,
    entropy: 3.5,
    rotation: "Delete the key: aws iam delete-service-specific-credential --user-name USER " +
      "--service-specific-credential-id ID, or API keys at https://console.aws.amazon.com/bedrock.",
    documentation: "https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-how.html",
    examples: {
      match: () => [
        `AWS_BEARER_TOKEN_BEDROCK=ABSKQmVkcm9ja0FQSUtleS1${sample(ALNUM, 108, 1)}=`,
        `"ABSKQmVkcm9ja0FQSUtleS1${sample(ALNUM, 246, 2)}"`,
      ],
      noMatch: () => [
        "ABSKQmVkcm9ja0FQSUtleS1" + "A".repeat(100),
        `AXSKQmVkcm9ja0FQSUtleS1${sample(ALNUM, 108, 3)}=`,
        `ABSKQmVkcm9ja0FQSUtleS1${sample(ALNUM, 300, 4)}`,
      ],
    },
  },
  {
    id: "aws-bedrock-api-key-short-lived",
    display: "Amazon Bedrock API key (short-lived)",
    provider: "Amazon Web Services",
    keywords: ["bedrock-api-key-"],
    pattern: /bedrock-api-key-(?:YmVkcm9jay5hbWF6b25hd3MuY29t)[A-Za-z0-9+/=%_-]{0,3000}(?![A-Za-z0-9+/=%_-])/,
    rotation:
      "The key ends with the session that made it: revoke the role's sessions (IAM > Roles > Revoke sessions) " +
      "at https://console.aws.amazon.com/iam/home#/roles.",
    documentation: "https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-how.html",
    examples: {
      match: () => [
        `AWS_BEARER_TOKEN_BEDROCK=bedrock-api-key-${"YmVkcm9jay5hbWF6b25hd3MuY29t"}${sample(ALNUM, 900, 1)}`,
        `"bedrock-api-key-${"YmVkcm9jay5hbWF6b25hd3MuY29t"}${sample(ALNUM, 400, 2)}=="`,
      ],
      noMatch: () => ["bedrock-api-key-", `bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29x${sample(ALNUM, 200, 3)}`],
    },
  },
  {
    id: "alibaba-access-key-id",
    display: "Alibaba Cloud AccessKey id",
    provider: "Alibaba Cloud",
    keywords: ["ltai"],
    pattern: /(?<![A-Za-z0-9_])LTAI(?:[a-zA-Z0-9]{20}|[a-zA-Z0-9]{12})(?![A-Za-z0-9_+/=])/,
    entropy: 3,
    rotation: "Disable and delete the AccessKey pair at https://ram.console.aliyun.com/manage/ak.",
    documentation: "https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair",
    examples: {
      match: () => [`ALIBABA_CLOUD_ACCESS_KEY_ID=LTAI${sample(ALNUM, 20, 1)}`, `"LTAI${sample(ALNUM, 20, 2)}"`],
      noMatch: () => [`LTAI${"x".repeat(20)}`, `LTAI${sample(ALNUM, 17, 3)}`, `VOLTAI${sample(ALNUM, 20, 4)}`],
    },
  },
  {
    id: "alibaba-secret-key",
    display: "Alibaba Cloud AccessKey secret",
    provider: "Alibaba Cloud",
    keywords: ["alibaba", "aliyun", ...nameKeywords(["access key secret"])],
    pattern: assigned(["alibaba", "aliyun", "access key secret"], "[A-Za-z0-9]{30}"),
    entropy: 3.6,
    valid: (secret) => isNotHex(secret) && mixes(secret),
    rotation: "Disable and delete the AccessKey pair at https://ram.console.aliyun.com/manage/ak.",
    documentation: "https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair",
    examples: contextExamples("ALIBABA_CLOUD_ACCESS_KEY_SECRET", (seed) => sample(ALNUM, 30, seed)),
  },
  {
    id: "aws-presigned-url",
    display: "Amazon S3 presigned URL",
    provider: "Amazon Web Services",
    keywords: ["x-amz-signature="],
    pattern: /X-Amz-Signature=(?<secret>[0-9a-f]{64})(?![0-9a-f])/,
    entropy: 3.3,
    confidence: "low",
    rotation: "A presigned URL ends by itself (X-Amz-Expires); to end it earlier, deactivate the key that signed it: " +
      "aws iam update-access-key --access-key-id ID --status Inactive.",
    documentation: "https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html",
    examples: {
      match: () => [1, 2].map((seed) => `https://bucket.s3.amazonaws.com/k?X-Amz-Signature=${sample(HEX, 64, seed)}`),
      noMatch: () => ["?X-Amz-Signature=<signature>", `?X-Amz-Signature=${"0".repeat(64)}`],
    },
  },
];
