/**
 * .NET: restore, test and editor output beyond `bin` and `obj`.
 *
 * @module
 */
import type { Target } from "../target.ts";

/** Kinds of the .NET tool chain beyond the common 24. */
export const dotnetTargets: readonly Target[] = [
  {
    key: "dotnet-obj",
    ecosystem: "dotnet",
    matches: ["obj"],
    marker: { inside: ["project.assets.json"] },
    regenerateWith: "dotnet restore",
    documentation: "https://learn.microsoft.com/nuget/consume-packages/package-references-in-project-files",
  },
  {
    key: "dotnet-artifacts",
    ecosystem: "dotnet",
    matches: ["artifacts"],
    marker: { inside: ["obj/*/project.assets.json"] },
    regenerateWith: "dotnet build",
    documentation: "https://learn.microsoft.com/dotnet/core/sdk/artifacts-output",
  },
  {
    // `packages` also holds the sources of many monorepos: only a signature that NuGet unpacked tells them apart.
    key: "nuget-packages",
    ecosystem: "dotnet",
    matches: ["packages"],
    marker: { inside: ["repositories.config", "*/.signature.p7s"] },
    regenerateWith: "nuget restore",
    documentation: "https://learn.microsoft.com/nuget/reference/packages-config",
  },
  {
    key: "paket-files",
    ecosystem: "dotnet",
    matches: ["paket-files"],
    marker: { beside: ["paket.lock"] },
    regenerateWith: "paket restore",
    documentation: "https://fsprojects.github.io/Paket/faq.html",
  },
  {
    key: "dotnet-test-results",
    ecosystem: "dotnet",
    matches: ["TestResults"],
    marker: { inside: ["*.trx", "*/coverage.cobertura.xml", "*/coverage.opencover.xml"] },
    regenerateWith: "dotnet test",
    documentation: "https://learn.microsoft.com/dotnet/core/tools/dotnet-test",
  },
  {
    key: "resharper-cache",
    ecosystem: "dotnet",
    matches: ["_ReSharper.*"],
    marker: null,
    regenerateWith: "next ReSharper start",
    documentation: "https://www.jetbrains.com/help/resharper/Reference__Options__Environment__General.html",
  },
  {
    key: "ionide-cache",
    ecosystem: "dotnet",
    matches: [".ionide"],
    marker: null,
    regenerateWith: "next editor start",
    documentation: "https://ionide.io/",
  },
  {
    key: "fake-cache",
    ecosystem: "dotnet",
    matches: [".fake"],
    marker: { beside: ["*.fsx"] },
    regenerateWith: "fake run",
    documentation: "https://fake.build/guide/fake-debugging.html",
  },
  {
    key: "fable-modules",
    ecosystem: "dotnet",
    matches: ["fable_modules"],
    marker: null,
    regenerateWith: "dotnet fable",
    documentation: "https://fable.io/docs/",
  },
];
