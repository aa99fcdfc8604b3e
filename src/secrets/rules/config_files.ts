/**
 * Credentials in the files of well-known tools: Kubernetes, Docker, npm, pip, Maven, databases, .netrc.
 *
 * @module
 */

import { decodeBase64, isBasicCredential, isPlausiblePassword, mixes } from "../checks.ts";
import { passwordInBase64, passwordOf } from "../parts.ts";
import type { Rule } from "../rule.ts";
import { ALNUM, HEX, LOWER_ALNUM, sample } from "../sample.ts";
import { password } from "./_examples.ts";

/** Text of one YAML or JSON document between two of its fields. */
const GAP = "(?:(?!\\n---)[^]){0,200}?";

/** The field that says that an object is a Secret, with the quotes that its name and its value may have. */
function secretKind(name: string, value: string): string {
  return `(?<!\\w)kind${name}: {0,2}${value}[Ss]ecret(?![\\w-])`;
}

const DATA = "(?<!\\w)data[\"']?:";

const ANY_KIND = secretKind(`["']?`, `["']?`);

const API_VERSION = `apiVersion["']?:[ \\t]{0,2}["']?v1["']?,?\\s{0,40}["']?`;

/** Credentials in configuration files. */
export const configFileRules: readonly Rule[] = [
  {
    id: "kubernetes-secret-yaml",
    display: "Values of a Kubernetes Secret",
    provider: "Kubernetes",
    keywords: [
      "apiversion",
      "kind: secret",
      "kind:secret",
      "kind:  secret",
      "kind: 'secret",
      "kind:'secret",
      "kind:  'secret",
    ],
    pattern: new RegExp(
      `(?:${API_VERSION}(?:${ANY_KIND}${GAP}|(?=${DATA}${GAP}${ANY_KIND}))|${secretKind("", "'?")}${GAP})${DATA}` +
        `(?:[ \\t]{0,2}\\{\\s{0,24}|(?:\\s{1,24}#[^\\n]{0,100})?\\s{1,24})["']?[\\w.-]{1,60}["']?:[ \\t]{0,2}(?:[|>][+-]?\\s{1,24})?["']?` +
        `(?<secret>[A-Za-z0-9+/]{10,7000}={0,2}(?:["']?(?:,\\s{0,24}|\\s{1,24})["']?[\\w.-]{1,60}["']?:[ \\t]{0,2}["']?[A-Za-z0-9+/]{4,1000}={0,2}){0,8})`,
    ),
    valid: (block) => decodeBase64(/^[A-Za-z0-9+/]{1,7000}={0,2}/.exec(block)?.[0] ?? "") !== undefined,
    rotation: "Change each value where it is used, then replace the object: kubectl create secret generic NAME " +
      "--from-literal=KEY=VALUE --dry-run=client -o yaml | kubectl apply -f -.",
    documentation: "https://kubernetes.io/docs/concepts/configuration/secret/",
    examples: {
      match: () => [
        `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: ${btoa(password(1))}\n`,
        `apiVersion: v1\ndata:\n  user: ${btoa("app-user")}\n  pw: ${
          btoa(password(2))
        }\nkind: Secret\nmetadata:\n  name: db\n`,
        `{"apiVersion": "v1", "kind":"Secret","data":{"token": "${btoa(password(3))}"}}`,
      ],
      noMatch: () => [
        "apiVersion: v1\nkind: Secret\ndata:\n  password: ''\n",
        "kind: Secret\ndata:\n  password: {{ .Values.password }}\n",
        `kind: ExternalSecret\ndata:\n  password: ${btoa(password(4))}\n`,
        `kind: Secret\n---\nkind: ConfigMap\ndata:\n  logo: ${btoa(password(5))}\n`,
      ],
    },
  },
  {
    id: "kubeconfig-token",
    display: "Token of a user in a kubeconfig",
    provider: "Kubernetes",
    keywords: ["user:"],
    pattern: /(?<![\w-])user:\s{1,24}(?:as: [^\n]{1,80}\s{1,24})?token:[ \t]{1,4}["']?(?<secret>[\w.~+/=-]{16,3000})/,
    entropy: 3,
    valid: mixes,
    generic: true,
    rotation:
      "Delete the service account's token (kubectl delete secret NAME) or the bootstrap token (kubeadm token delete " +
      "ID), and write a new kubeconfig.",
    documentation: "https://kubernetes.io/docs/reference/access-authn-authz/authentication/",
    examples: {
      match: () => [1, 2].map((seed) => `users:\n- name: admin\n  user:\n    token: ${sample(ALNUM, 40, seed)}\n`),
      noMatch: () => ["user:\n    token: <your-token>\n", `user: alice\ntoken: ${sample(ALNUM, 40, 3)}`],
    },
  },
  {
    id: "kubernetes-bootstrap-token",
    display: "Kubernetes bootstrap token",
    provider: "Kubernetes",
    keywords: ["kubeadm join"],
    pattern: /kubeadm join [^\n]{0,120}?--token[ =](?<secret>[a-z0-9]{6}\.[a-z0-9]{16})(?![\w.-])/,
    entropy: 3,
    stopWords: ["abcdef.0123456789abcdef"],
    rotation:
      "Delete the token: kubeadm token delete ID (kubeadm token list shows the ids); it ends by itself after a day.",
    documentation: "https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/",
    examples: {
      match: () =>
        [1, 2].map((seed) =>
          `kubeadm join 10.0.0.1:6443 --token ${sample(LOWER_ALNUM, 6, seed)}.${sample(LOWER_ALNUM, 16, seed)}`
        ),
      noMatch: () => ["kubeadm join --token abcdef.0123456789abcdef 10.0.0.1:6443", "kubeadm join --token <token>"],
    },
  },
  {
    id: "docker-auth",
    display: "Docker registry credential",
    provider: "Docker",
    keywords: ["auths"],
    pattern:
      /auths\\{0,3}"\s{0,4}:(?:(?!auths)[^]){0,600}?"auth\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"(?<secret>[A-Za-z0-9+/]{8,2000}={0,2})\\{0,3}"/,
    valid: isBasicCredential,
    generic: true,
    part: passwordInBase64,
    rotation:
      "Revoke the token at the registry (Docker Hub: https://app.docker.com/settings/personal-access-tokens), then " +
      "docker logout REGISTRY and docker login again with a credential helper.",
    documentation: "https://docs.docker.com/reference/cli/docker/login/#credential-stores",
    examples: {
      match: () => [
        `{"auths":{"https://index.docker.io/v1/":{"auth":"${btoa(`ops:${password(1)}`)}"}}}`,
        `{"auths": {"r.example.org": {"email": "", "auth": "${btoa(`AWS:${password(2)}`)}"}}}`,
      ],
      noMatch: () => [
        '"auth": "required"',
        `{"auths": {"a": {"auth": "${btoa("user:password")}"}}}`,
        `{"auths": {"a": {"auth": "${sample(HEX, 32, 3)}"}}}`,
      ],
    },
  },
  {
    id: "netrc-password",
    display: "Password in a .netrc file",
    provider: "HTTP",
    keywords: ["machine"],
    pattern:
      /(?<![\w-])machine\s{1,4}[\w.-]{1,100}\s{1,8}login\s{1,4}[^\s"']{1,100}\s{1,8}password\s{1,4}(?<secret>[^\s"'\\]{4,300})/,
    valid: (text) => /[^a-z-]/.test(text) && isPlausiblePassword(text),
    generic: true,
    rotation: "Change the password, or revoke the token, of the login at the machine that the line names. " +
      "See https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html.",
    documentation: "https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html",
    examples: {
      match: () => [
        `machine api.example.org login ops password ${password(1)}`,
        `machine git.example.org\n  login ops\n  password ${password(2)}\n`,
      ],
      noMatch: () => ["machine HOST login USER password PASSWORD", "machine learning login form password field"],
    },
  },
  {
    id: "pgpass-password",
    display: "Password in a .pgpass file",
    provider: "PostgreSQL",
    keywords: [":5432:", ":5433:", ":6432:", ":*:"],
    pattern:
      /(?<![\w.:/-])(?:[\w.-]{1,100}|\*):(?:5432|5433|6432|\*):(?:[\w-]{1,64}|\*):[\w.-]{1,64}:(?<secret>[^\s"'\\:]{4,200})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Change the role's password: ALTER ROLE name PASSWORD '...' " +
      "(https://www.postgresql.org/docs/current/sql-alterrole.html).",
    documentation: "https://www.postgresql.org/docs/current/libpq-pgpass.html",
    examples: {
      match: () => [`db.internal:5432:app:ops:${password(1)}`, `*:*:*:ops:${password(2)}`],
      noMatch:
        () => ["hostname:port:database:username:password", "localhost:5432:db:user:password", "127.0.0.1:5432:5432"],
    },
  },
  {
    id: "npmrc-auth",
    display: "npm registry credential in .npmrc",
    provider: "npm",
    keywords: [":_authtoken", ":_auth", ":_password", "npmauthtoken", "npmauthident"],
    pattern:
      /(?::_(?:authToken|auth|password)[ \t]{0,2}=|npmAuth(?:Token|Ident):)[ \t]{0,2}["']?(?<secret>[\w+/.:-]{16,1000}={0,2})(?![\w+/=])/,
    entropy: 3,
    valid: mixes,
    part: (text) => passwordInBase64(passwordOf(text)),
    generic: true,
    rotation:
      "Revoke the token: npm token revoke ID, or https://www.npmjs.com/settings/USER/tokens (another registry: its own " +
      "page of tokens).",
    documentation: "https://docs.npmjs.com/cli/configuring-npm/npmrc",
    examples: {
      match: () => [
        `//registry.example.org/:_authToken=${sample(HEX, 8, 1)}-${sample(HEX, 4, 2)}-${sample(HEX, 20, 3)}`,
        `//registry.example.org/:_password="${sample(ALNUM, 32, 4)}=="`,
      ],
      noMatch: () => ["//npm.example.org/:_authToken=${NPM_TOKEN}", "//npm.example.org/:_authToken=YOUR_TOKEN_HERE"],
    },
  },
  {
    id: "pypirc-password",
    display: "Password in a .pypirc file",
    provider: "PyPI",
    keywords: ["[pypi]", "[testpypi]", "[distutils]"],
    pattern:
      /\[(?:pypi|testpypi|distutils)\](?:(?!\n[ \t]{0,8}password)[^]){0,400}?\n[ \t]{0,8}password[ \t]{0,4}[=:][ \t]{0,4}(?<secret>[^\s"'\\]{4,300})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation:
      "Delete the token at https://pypi.org/manage/account/token/ (another index: change the account's password there).",
    documentation: "https://packaging.python.org/en/latest/specifications/pypirc/",
    examples: {
      match: () => [
        `[pypi]\nusername = ops\npassword = ${password(1)}\n`,
        `[distutils]\nindex-servers = own\n[own]\nrepository = https://pypi.example.org\npassword: ${password(2)}\n`,
      ],
      noMatch:
        () => ["[pypi]\nusername = __token__\npassword = <PyPI token>\n", "[pypi]\nrepository = https://pypi.org\n"],
    },
  },
  {
    id: "maven-settings-password",
    display: "Password in an XML configuration (Maven, NuGet, Tomcat, ...)",
    provider: "XML configuration",
    keywords: ["<password>", "<passphrase>"],
    pattern: /<(?:[Pp]assword|[Pp]assphrase)>\s{0,8}(?<secret>[^<>\s]{6,200})\s{0,8}<\//,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Change the password of the server's account, and keep it encrypted " +
      "(https://maven.apache.org/guides/mini/guide-encryption.html).",
    documentation: "https://maven.apache.org/settings.html#servers",
    examples: {
      match: () => [
        `<server><id>own</id><username>ops</username><password>${password(1)}</password></server>`,
        `<password>\n  ${password(2)}\n</password>`,
      ],
      noMatch: () => [
        "<password>${env.PASSWORD}</password>",
        "<password>changeit</password>",
        "<password>{COQLCE6DU6GtcS5P=}</password>",
      ],
    },
  },
  {
    id: "connection-string-password",
    display: "Password in a connection string (ADO.NET, ODBC)",
    provider: "Databases",
    keywords: ["password=", "password =", "pwd=", "pwd ="],
    pattern:
      /(?<![\w-])(?:Server|Data Source|Host|Hostname|Driver|Database|Initial Catalog|Uid|User Id|User ID|UserID|User|Username|server|data source|host|database|uid|user id|user|username|SERVER|DATABASE|UID|HOSTNAME)[ ]?=[^;"'\n]{1,120};(?:[^;="'\n]{1,40}=[^;"'\n]{0,120};){0,8}?[ ]?(?:[Pp]assword|PASSWORD|[Pp]wd|PWD)[ ]?=[ ]?\\{0,2}(?<secret>[^\s;"'\\]{4,128})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Change the login's password (ALTER LOGIN name WITH PASSWORD = '...'; " +
      "https://learn.microsoft.com/sql/t-sql/statements/alter-login-transact-sql) and everything that uses it.",
    documentation: "https://learn.microsoft.com/dotnet/framework/data/adonet/connection-string-syntax",
    examples: {
      match: () => [
        `"Server=tcp:acme.database.windows.net,1433;Initial Catalog=app;User ID=ops;Password=${
          password(1)
        };Encrypt=True"`,
        `Driver={ODBC Driver 18};Server=db;UID=ops;PWD=${password(2)}`,
      ],
      noMatch: () => [
        "Server=db;Database=app;User Id=sa;Password={your_password};",
        "Server=localhost;Uid=root;Pwd=password;",
        "Host=db;Username=app;Password=$(DB_PASSWORD)",
      ],
    },
  },
  {
    id: "jdbc-url-password",
    display: "Password in a JDBC URL",
    provider: "Databases",
    keywords: ["jdbc:"],
    pattern: /jdbc:[a-z0-9]{2,20}:[^\s"'<>]{1,300}?[?&;](?:password|pwd)=(?<secret>[^\s&;"'<>\\]{4,128})/,
    valid: isPlausiblePassword,
    rotation:
      "Change the account's password (e.g. ALTER USER; https://dev.mysql.com/doc/refman/en/alter-user.html) and " +
      "everything that uses it.",
    documentation: "https://jdbc.postgresql.org/documentation/use/#connection-parameters",
    examples: {
      match: () => [
        `jdbc:postgresql://db:5432/app?user=ops&password=${password(1)}`,
        `jdbc:sqlserver://db:1433;databaseName=app;user=ops;password=${password(2)}`,
      ],
      noMatch:
        () => ["jdbc:postgresql://db/app?user=app&password=secret", "jdbc:mysql://db/app?password=${DB_PASSWORD}"],
    },
  },
  {
    id: "ansible-inventory-password",
    display: "Password in an Ansible inventory",
    provider: "Ansible",
    keywords: ["ansible_ssh_pass", "ansible_password", "ansible_become_pass", "ansible_sudo_pass"],
    pattern:
      /ansible_(?:ssh_pass|password|become_pass|become_password|sudo_pass)["']?[ \t]{0,2}[:=][ \t]{0,2}["']?(?<secret>[^\s"'\\{}]{4,128})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Change the password on the hosts of the inventory, and keep it in ansible-vault " +
      "(https://docs.ansible.com/ansible/latest/vault_guide/index.html).",
    documentation: "https://docs.ansible.com/ansible/latest/inventory_guide/connection_details.html",
    examples: {
      match:
        () => [`web1 ansible_host=10.0.0.1 ansible_ssh_pass=${password(1)}`, `ansible_become_pass: "${password(2)}"`],
      noMatch: () => ['ansible_password: "{{ vault_password }}"', "ansible_ssh_pass=changeme"],
    },
  },
];
