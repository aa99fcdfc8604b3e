/**
 * Apple platforms, Android, Flutter and React Native.
 *
 * @module
 */
import type { Target } from "../target.ts";

/** Kinds that builds for phones and for Apple platforms leave. */
export const mobileTargets: readonly Target[] = [
  {
    key: "swift-build",
    ecosystem: "swift",
    matches: [".build"],
    marker: { beside: ["Package.swift"] },
    regenerateWith: "swift build",
    documentation: "https://docs.swift.org/package-manager/",
  },
  {
    key: "derived-data",
    ecosystem: "swift",
    matches: ["DerivedData"],
    marker: {
      beside: ["*.xcodeproj", "*.xcworkspace"],
      inside: ["ModuleCache.noindex", "Build/Intermediates.noindex", "*/Build/Intermediates.noindex"],
    },
    regenerateWith: "xcodebuild",
    documentation: "https://developer.apple.com/documentation/xcode/build-system",
  },
  {
    key: "xcode-build",
    ecosystem: "swift",
    matches: ["build"],
    marker: { inside: ["XCBuildData", "Build/Intermediates.noindex", "generated/ios"] },
    regenerateWith: "xcodebuild",
    documentation: "https://developer.apple.com/documentation/xcode/build-system",
  },
  {
    key: "cocoapods",
    ecosystem: "swift",
    matches: ["Pods"],
    marker: { beside: ["Podfile.lock"] },
    regenerateWith: "pod install",
    documentation: "https://guides.cocoapods.org/using/using-cocoapods.html",
  },
  {
    key: "carthage",
    ecosystem: "swift",
    matches: ["Carthage/Build", "Carthage/Checkouts"],
    marker: { beside: ["Cartfile.resolved"] },
    regenerateWith: "carthage bootstrap",
    documentation: "https://github.com/Carthage/Carthage/blob/master/Documentation/Artifacts.md",
  },
  {
    key: "android-native-build",
    ecosystem: "android",
    matches: [".cxx", ".externalNativeBuild"],
    marker: { beside: ["build.gradle", "build.gradle.kts"] },
    regenerateWith: "gradle build",
    documentation: "https://developer.android.com/studio/projects/configure-cmake",
  },
  {
    key: "dart-tool",
    ecosystem: "dart",
    matches: [".dart_tool"],
    marker: { beside: ["pubspec.yaml"] },
    regenerateWith: "dart pub get",
    documentation: "https://dart.dev/tools/pub/private-files",
  },
  {
    key: "flutter-build",
    ecosystem: "dart",
    matches: [
      "build",
      "linux/flutter/ephemeral",
      "windows/flutter/ephemeral",
      "macos/Flutter/ephemeral",
      "ios/Flutter/ephemeral",
    ],
    marker: { beside: ["pubspec.yaml"] },
    regenerateWith: "flutter build",
    documentation: "https://docs.flutter.dev/reference/flutter-cli",
  },
  {
    key: "expo",
    ecosystem: "javascript",
    matches: [".expo"],
    marker: { beside: ["app.json", "app.config.js", "app.config.ts"] },
    regenerateWith: "expo start",
    documentation: "https://docs.expo.dev/more/expo-cli/",
  },
  {
    key: "metro-cache",
    ecosystem: "javascript",
    matches: [".metro", ".metro-cache"],
    marker: { beside: ["metro.config.*"] },
    regenerateWith: "next metro run",
    documentation: "https://metrobundler.dev/docs/caching/",
  },
];
