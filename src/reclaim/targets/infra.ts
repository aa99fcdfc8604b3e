/**
 * Infrastructure as code, serverless packaging and developer environments.
 *
 * @module
 */
import type { Target } from "../target.ts";

/** Kinds of deployment and environment tools beyond the common 24. */
export const infraTargets: readonly Target[] = [
  {
    key: "opentofu",
    ecosystem: "infra",
    matches: [".terraform"],
    marker: { beside: ["*.tofu", "*.tf.json", ".terraform.lock.hcl"] },
    unless: ["environment"],
    regenerateWith: "tofu init",
    documentation: "https://opentofu.org/docs/cli/init/",
  },
  {
    key: "terragrunt-cache",
    ecosystem: "infra",
    matches: [".terragrunt-cache"],
    marker: { beside: ["terragrunt.hcl", "terragrunt.hcl.json", "terragrunt.stack.hcl"] },
    unless: ["terraform.tfstate", "*/*/terraform.tfstate", "*/*/*/terraform.tfstate"],
    regenerateWith: "terragrunt init",
    documentation: "https://terragrunt.gruntwork.io/docs/reference/terragrunt-cache",
  },
  {
    key: "cdktf",
    ecosystem: "infra",
    matches: ["cdktf.out", ".gen"],
    marker: { beside: ["cdktf.json"] },
    regenerateWith: "cdktf synth",
    documentation: "https://developer.hashicorp.com/terraform/cdktf/create-and-deploy/project-setup",
  },
  {
    key: "cdk-out",
    ecosystem: "infra",
    matches: ["cdk.out", ".cdk.staging"],
    marker: { beside: ["cdk.json"], inside: ["tree.json"] },
    regenerateWith: "cdk synth",
    documentation: "https://docs.aws.amazon.com/cdk/v2/guide/configure-synth.html",
  },
  {
    key: "serverless",
    ecosystem: "infra",
    matches: [".serverless"],
    marker: { beside: ["serverless.yml", "serverless.yaml", "serverless.json", "serverless.ts", "serverless.js"] },
    regenerateWith: "serverless package",
    documentation: "https://www.serverless.com/framework/docs/providers/aws/cli-reference/package",
  },
  {
    key: "aws-sam",
    ecosystem: "infra",
    matches: [".aws-sam"],
    marker: { beside: ["template.yaml", "template.yml", "template.json", "samconfig.toml"] },
    regenerateWith: "sam build",
    documentation:
      "https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-sam-cli-using-build.html",
  },
  {
    key: "sst",
    ecosystem: "infra",
    matches: [".sst/artifacts", ".sst/dist", ".sst/platform"],
    marker: { beside: ["sst.config.*"] },
    regenerateWith: "sst install",
    documentation: "https://sst.dev/docs/reference/cli/",
  },
  {
    key: "firebase-cache",
    ecosystem: "infra",
    matches: [".firebase"],
    marker: { beside: ["firebase.json"] },
    regenerateWith: "firebase deploy",
    documentation: "https://firebase.google.com/docs/hosting/quickstart",
  },
  {
    key: "packer-cache",
    ecosystem: "infra",
    matches: ["packer_cache"],
    marker: { beside: ["*.pkr.hcl", "*.pkr.json"] },
    regenerateWith: "packer build",
    documentation: "https://developer.hashicorp.com/packer/docs/configure",
  },
  {
    key: "ansible-cache",
    ecosystem: "infra",
    matches: [".cache/ansible-compat", ".cache/ansible-lint"],
    marker: null,
    regenerateWith: "next ansible-lint run",
    documentation: "https://docs.ansible.com/projects/lint/",
  },
  {
    key: "direnv",
    ecosystem: "infra",
    matches: [".direnv"],
    marker: { beside: [".envrc"] },
    regenerateWith: "direnv reload",
    documentation: "https://direnv.net/man/direnv-stdlib.1.html",
  },
  {
    key: "sonar-scanner",
    ecosystem: "infra",
    matches: [".scannerwork"],
    marker: null,
    regenerateWith: "sonar-scanner",
    documentation: "https://docs.sonarsource.com/sonarqube-server/analyzing-source-code/scanners/sonarscanner",
  },
];
