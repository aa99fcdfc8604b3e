/**
 * Passwords given to commands: what agents' histories hold more of than any file does.
 *
 * @module
 */

import { isPlausiblePassword } from "../checks.ts";
import type { Rule } from "../rule.ts";
import { password } from "./_examples.ts";

/** Passwords on command lines. */
export const commandLineRules: readonly Rule[] = [
  {
    id: "sshpass-password",
    display: "Password given to sshpass",
    provider: "SSH",
    keywords: ["sshpass"],
    pattern:
      /(?<![\w-])sshpass[ \t]{1,4}(?:-[vP][ \t]{1,4}(?:\S{1,20}[ \t]{1,4})?)?-p[ \t]{0,4}\\{0,2}["']?(?<secret>[^\s"'\\]{3,128})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation:
      "Change the account's password on that host (passwd), and log in with a key instead: ssh-copy-id USER@HOST.",
    documentation: "https://linux.die.net/man/1/sshpass",
    examples: {
      match: () => [`sshpass -p '${password(1)}' ssh root@10.0.0.5`, `sshpass -p ${password(2)} scp a.txt ops@host:`],
      noMatch:
        () => ['sshpass -p "$PASSWORD" ssh root@host', "sshpass -p password ssh user@host", "sshpass -e ssh ops@host"],
    },
  },
  {
    id: "database-password-env",
    display: "Database password in a command's environment",
    provider: "Databases",
    keywords: ["pgpassword", "mysql_pwd", "rediscli_auth", "sqlcmdpassword"],
    pattern:
      /(?<![\w-])(?:PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SQLCMDPASSWORD)["']?[ \t]{0,2}[=:][ \t]{0,2}\\{0,2}["']?(?<secret>[^\s"'\\;&|]{3,128})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Change the account's password (ALTER ROLE name PASSWORD '...'; " +
      "https://www.postgresql.org/docs/current/sql-alterrole.html) and everything that uses it.",
    documentation: "https://www.postgresql.org/docs/current/libpq-envars.html",
    examples: {
      match: () => [`PGPASSWORD=${password(1)} psql -h db -U app`, `export MYSQL_PWD='${password(2)}'`],
      noMatch: () => ["PGPASSWORD=$DB_PASSWORD psql", "PGPASSWORD=postgres psql -h localhost", "PGPASSWORD=<password>"],
    },
  },
  {
    id: "database-password-option",
    display: "Password given to a database's command",
    provider: "Databases",
    keywords: ["mysql", "mariadb", "redis-cli", "mongosh", "sqlcmd"],
    pattern:
      /(?<![\w/-])(?:(?:mysql(?:dump|admin|show|import)?|mariadb(?:-dump|-admin)?)[ \t][^\n|;&]{0,160}?(?:-p|--password=)|redis-cli[ \t][^\n|;&]{0,160}?-a[ \t]{1,3}|mongosh[ \t][^\n|;&]{0,160}?(?:-p[ \t]{1,3}|--password[ =])|sqlcmd[ \t][^\n|;&]{0,160}?-P[ \t]{0,3})(?<![\w-]{3}-p)\\{0,2}["']?(?<secret>[^\s"'\\;&|]{4,128})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Change the account's password (ALTER USER name IDENTIFIED BY '...'; " +
      "https://dev.mysql.com/doc/refman/en/alter-user.html) and everything that uses it.",
    documentation: "https://dev.mysql.com/doc/refman/en/connecting.html",
    examples: {
      match: () => [`mysql -u root -p${password(1)} app`, `redis-cli -h cache -a ${password(2)} ping`],
      noMatch: () => ["mysql -u root -p app", "mysql -uroot -p$MYSQL_ROOT_PASSWORD", "mysql -u root -ppassword"],
    },
  },
  {
    id: "registry-login-password",
    display: "Password given to a registry login",
    provider: "Docker",
    keywords: ["docker login", "podman login", "helm registry login", "az login", "oc login", "nerdctl login"],
    pattern:
      /(?:(?:docker|podman|nerdctl|helm registry) login|az login|oc login)[ \t][^\n|;&]{0,200}?(?:(?<=[ \t])-p[ \t]{1,3}|--password[ =]|--token[ =])\\{0,2}["']?(?<secret>[^\s"'\\;&|]{6,2000})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Revoke the token or change the password at the registry (Docker Hub: " +
      "https://app.docker.com/settings/personal-access-tokens), and use --password-stdin.",
    documentation: "https://docs.docker.com/reference/cli/docker/login/",
    examples: {
      match: () => [
        `docker login registry.example.org -u ops -p ${password(1)}`,
        `podman login --username ops --password=${password(2)} quay.io`,
      ],
      noMatch: () => [
        "docker login -u ops -p $TOKEN",
        "docker login -u ops --password-stdin registry.example.org",
        "docker login -u username -p password",
      ],
    },
  },
  {
    id: "sudo-stdin-password",
    display: "Password piped to sudo",
    provider: "Unix",
    keywords: ["sudo -"],
    pattern:
      /(?<![\w-])(?:echo|printf)[ \t]{1,3}(?:-[en]{1,2}[ \t]{1,3})?\\{0,2}["']?(?<secret>[^\s"'\\|]{3,128})(?:\\{1,2}n)?\\{0,2}["']?[ \t]{0,3}\|[ \t]{0,3}sudo (?:-[kKn]{1,2} )?(?:-[kK]?S|--stdin)/,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Change the account's password on that machine: passwd USER.",
    documentation: "https://www.sudo.ws/docs/man/sudo.man/#S",
    examples: {
      match:
        () => [`echo '${password(1)}' | sudo -S apt-get update`, `echo ${password(2)} | sudo -S systemctl restart a`],
      noMatch: () => ['echo "$PASSWORD" | sudo -S ls', "echo password | sudo -S ls", "echo hello | sudo tee /etc/motd"],
    },
  },
  {
    id: "openssl-pass-phrase",
    display: "Pass phrase given to openssl",
    provider: "OpenSSL",
    keywords: ["pass:"],
    pattern: /-(?:passin|passout|pass|password|k)[ \t]{1,3}\\{0,2}["']?pass:(?<secret>[^\s"'\\]{4,128})/,
    valid: isPlausiblePassword,
    generic: true,
    rotation: "Encrypt the file or key anew with another pass phrase: openssl pkey -in KEY -aes256 -out KEY.new.",
    documentation: "https://docs.openssl.org/master/man1/openssl-passphrase-options/",
    examples: {
      match: () => [
        `openssl enc -aes-256-cbc -d -in a -pass pass:${password(1)}`,
        `openssl pkcs12 -export -passout "pass:${password(2)}"`,
      ],
      noMatch: () => ["openssl req -passin pass:$PASS", "openssl genrsa -passout pass:password", "bypass:true"],
    },
  },
];
