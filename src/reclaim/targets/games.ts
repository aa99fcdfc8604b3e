/**
 * Game engines. Their working directories mix caches with the only copy of unsaved work, logs and signing passwords,
 * so a kind names the parts that the engine makes again rather than the whole.
 *
 * @module
 */
import type { Target } from "../target.ts";

/** Kinds that game engines and their package managers leave. */
export const gameTargets: readonly Target[] = [
  {
    // Never by what stands beside it: `~/Library` on macOS is everything a user has.
    key: "unity-library",
    ecosystem: "unity",
    matches: ["Library"],
    marker: { inside: ["ArtifactDB", "SourceAssetDB", "assetDatabase3"] },
    regenerateWith: "next Unity import",
    documentation: "https://docs.unity3d.com/Manual/AssetDatabaseCustomizingWorkflow.html",
  },
  {
    // Not the whole `Temp`: after a crash `Temp/__Backupscenes` holds the scenes that were never saved.
    key: "unity-temp",
    ecosystem: "unity",
    matches: ["Temp/Bin", "Temp/bin", "Temp/obj", "Temp/StagingArea", "Temp/gradleOut", "Temp/il2cppOutput"],
    marker: { beside: ["ProjectSettings", "Assembly-CSharp.csproj"] },
    regenerateWith: "next Unity build",
    documentation: "https://docs.unity3d.com/Manual/project-configure-setup.html",
  },
  {
    key: "unity-obj",
    ecosystem: "unity",
    matches: ["Obj"],
    marker: { beside: ["Assembly-CSharp.csproj"] },
    regenerateWith: "next Unity build",
    documentation: "https://docs.unity3d.com/Manual/project-configure-setup.html",
  },
  {
    key: "unreal-intermediate",
    ecosystem: "unreal",
    matches: ["Intermediate", "DerivedDataCache"],
    marker: { beside: ["*.uproject", "*.uplugin"] },
    regenerateWith: "next Unreal build",
    documentation: "https://dev.epicgames.com/documentation/unreal-engine/unreal-engine-directory-structure",
  },
  {
    // Not the whole `.godot`: `export_credentials.cfg` in it is where the signing passwords and keys live.
    key: "godot",
    ecosystem: "godot",
    matches: [".godot/imported", ".godot/shader_cache", ".godot/exported", ".godot/mono/temp"],
    marker: { beside: ["project.godot"] },
    regenerateWith: "godot --import",
    documentation: "https://docs.godotengine.org/en/stable/tutorials/best_practices/version_control_systems.html",
  },
  {
    key: "godot-3",
    ecosystem: "godot",
    matches: [".import", ".mono/temp"],
    marker: { beside: ["project.godot"] },
    regenerateWith: "next Godot start",
    documentation: "https://docs.godotengine.org/en/3.6/tutorials/best_practices/version_control_systems.html",
  },
  {
    key: "monogame-content",
    ecosystem: "monogame",
    matches: ["bin", "obj"],
    marker: { beside: ["*.mgcb"] },
    regenerateWith: "dotnet mgcb",
    documentation: "https://docs.monogame.net/articles/getting_started/tools/mgcb.html",
  },
  {
    key: "wally-packages",
    ecosystem: "roblox",
    matches: ["Packages", "ServerPackages", "DevPackages"],
    marker: { inside: ["_Index"] },
    regenerateWith: "wally install",
    documentation: "https://wally.run/install",
  },
];
