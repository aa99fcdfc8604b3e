/**
 * Ruby, PHP, Crystal, R, TeX and smart contracts.
 *
 * @module
 */
import type { Target } from "../target.ts";

/** Kinds of the scripting and special-purpose languages. */
export const scriptingTargets: readonly Target[] = [
  {
    key: "bundler-vendor",
    ecosystem: "ruby",
    matches: ["vendor/bundle", ".bundle/ruby"],
    marker: { beside: ["Gemfile", "gems.rb"] },
    regenerateWith: "bundle install",
    documentation: "https://bundler.io/man/bundle-config.1.html",
  },
  {
    key: "rails-cache",
    ecosystem: "ruby",
    matches: ["tmp/cache"],
    marker: { beside: ["config.ru"] },
    regenerateWith: "next rails run",
    documentation: "https://guides.rubyonrails.org/command_line.html",
  },
  {
    key: "rails-assets",
    ecosystem: "ruby",
    matches: ["public/assets"],
    marker: { inside: [".sprockets-manifest-*.json", ".manifest.json"] },
    regenerateWith: "rails assets:precompile",
    documentation: "https://guides.rubyonrails.org/asset_pipeline.html",
  },
  {
    key: "simplecov",
    ecosystem: "ruby",
    matches: ["coverage"],
    marker: { inside: [".last_run.json", ".resultset.json"] },
    regenerateWith: "tests with coverage",
    documentation: "https://github.com/simplecov-ruby/simplecov#getting-started",
  },
  {
    key: "yard",
    ecosystem: "ruby",
    matches: [".yardoc"],
    marker: null,
    regenerateWith: "yard doc",
    documentation: "https://rubydoc.info/gems/yard/file/docs/GettingStarted.md",
  },
  {
    key: "composer-vendor",
    ecosystem: "php",
    matches: ["vendor"],
    marker: { inside: ["composer/installed.json", "composer/autoload_real.php"] },
    regenerateWith: "composer install",
    documentation: "https://getcomposer.org/doc/01-basic-usage.md#installing-dependencies",
  },
  {
    key: "phpunit-cache",
    ecosystem: "php",
    matches: [".phpunit.cache"],
    marker: null,
    regenerateWith: "next phpunit run",
    documentation: "https://docs.phpunit.de/en/12.0/configuration.html#the-cachedirectory-attribute",
  },
  {
    key: "symfony-cache",
    ecosystem: "php",
    matches: ["var/cache"],
    marker: { beside: ["symfony.lock"] },
    regenerateWith: "bin/console cache:warmup",
    documentation: "https://symfony.com/doc/current/configuration/override_dir_structure.html",
  },
  {
    key: "crystal-shards",
    ecosystem: "crystal",
    matches: ["lib"],
    marker: { inside: [".shards.info"] },
    regenerateWith: "shards install",
    documentation: "https://crystal-lang.org/reference/latest/man/shards/",
  },
  {
    key: "crystal-cache",
    ecosystem: "crystal",
    matches: [".crystal", ".shards"],
    marker: { beside: ["shard.yml"] },
    regenerateWith: "crystal build",
    documentation: "https://crystal-lang.org/reference/latest/man/crystal/",
  },
  {
    key: "renv-library",
    ecosystem: "r",
    matches: ["renv/library", "renv/staging"],
    marker: { beside: ["renv.lock"] },
    regenerateWith: "renv::restore()",
    documentation: "https://rstudio.github.io/renv/articles/renv.html",
  },
  {
    key: "minted-cache",
    ecosystem: "docs",
    matches: ["_minted", "_minted-*"],
    marker: { beside: ["*.tex"] },
    regenerateWith: "pdflatex -shell-escape",
    documentation: "https://ctan.org/pkg/minted",
  },
  {
    key: "solidity-cache",
    ecosystem: "solidity",
    matches: ["cache"],
    marker: { inside: ["solidity-files-cache.json"] },
    regenerateWith: "forge build",
    documentation: "https://hardhat.org/hardhat-runner/docs/guides/compile-contracts",
  },
  {
    key: "solidity-artifacts",
    ecosystem: "solidity",
    matches: ["artifacts", "out"],
    marker: { inside: ["build-info/*.json"] },
    regenerateWith: "forge build",
    documentation: "https://hardhat.org/hardhat-runner/docs/guides/compile-contracts",
  },
];
