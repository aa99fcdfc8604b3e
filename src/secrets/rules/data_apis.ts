/**
 * Maps, places, weather and other data that is sold by the call.
 *
 * @module
 */

import type { Rule } from "../rule.ts";
import { ALNUM, BASE64URL, HEX } from "../sample.ts";
import { contextRule, oneOf, run, tokenRule } from "./_shape.ts";

const MAPBOX_ROTATION = "Rotate or delete it at https://console.mapbox.com/account/access-tokens/";
const MAPBOX_FORMAT = "https://docs.mapbox.com/help/dive-deeper/access-tokens/";

/** Keys that somebody else pays for by the call. */
export const dataApiRules: readonly Rule[] = [
  tokenRule({
    id: "maxmind-license-key",
    display: "MaxMind license key",
    provider: "MaxMind",
    shape: [run(ALNUM, 6), "_", run(ALNUM, 29), "_mmk"],
    keywords: ["_mmk"],
    entropy: 4,
    rotation: "Revoke it at https://www.maxmind.com/en/accounts/current/license-key",
    documentation: "https://dev.maxmind.com/license-keys/",
  }),
  contextRule({
    id: "rapidapi-access-token",
    display: "RapidAPI key",
    provider: "RapidAPI",
    names: ["rapidapi", "rapid api"],
    shape: [run(BASE64URL, 50)],
    entropy: 3.5,
    rotation: "Delete it at https://rapidapi.com/developer/security/default-application",
    documentation: "https://docs.rapidapi.com/docs/keys-and-key-rotation",
  }),
  tokenRule({
    id: "rapidapi-key",
    display: "RapidAPI key (by its own shape)",
    provider: "RapidAPI",
    shape: [run(HEX, 10), "msh", run(HEX, 15), "p1", run(HEX, 5, 6), "jsn", run(HEX, 12)],
    keywords: [...HEX].map((digit) => `jsn${digit}`),
    rotation: "Delete it at https://rapidapi.com/developer/security/default-application",
    documentation: "https://docs.rapidapi.com/docs/keys-and-key-rotation",
  }),
  contextRule({
    id: "openweather-api-key",
    display: "OpenWeather API key",
    provider: "OpenWeather",
    names: ["openweather", "open weather", "openweathermap", "pyowm", "owm api", "owm key"],
    hints: ["key", "appid", "token", "api"],
    shape: [run(HEX, 32)],
    rotation: "Delete it at https://home.openweathermap.org/api_keys",
    documentation: "https://openweathermap.org/appid",
  }),
  contextRule({
    id: "tmdb-api-key",
    display: "TMDB API key",
    provider: "The Movie Database",
    names: ["tmdb"],
    hints: ["key", "token"],
    shape: [run(HEX, 32)],
    rotation: "Regenerate it at https://www.themoviedb.org/settings/api",
    documentation: "https://developer.themoviedb.org/docs/authentication-application",
  }),
  contextRule({
    id: "virustotal-api-key",
    display: "VirusTotal API key",
    provider: "VirusTotal",
    names: ["virustotal", "virus total", "vt api"],
    hints: ["key", "token"],
    shape: [run(HEX, 64)],
    rotation: "Change it at https://www.virustotal.com/gui/my-apikey",
    documentation: "https://docs.virustotal.com/docs/please-give-me-an-api-key",
  }),
  contextRule({
    id: "shodan-api-key",
    display: "Shodan API key",
    provider: "Shodan",
    names: ["shodan"],
    hints: ["key", "token"],
    shape: [run(ALNUM, 32)],
    entropy: 3.8,
    rotation: "Reset it at https://account.shodan.io",
    documentation: "https://developer.shodan.io/api/requirements",
  }),
  tokenRule({
    id: "scrapfly-api-key",
    display: "Scrapfly API key",
    provider: "Scrapfly",
    shape: [oneOf("scp-live-", "scp-test-"), run(HEX, 32)],
    keywords: ["scp-live-", "scp-test-"],
    rotation: "Regenerate it at https://scrapfly.io/dashboard/project/settings",
    documentation: "https://scrapfly.io/docs/scrape-api/getting-started",
  }),
  contextRule({
    id: "newsapi-key",
    display: "News API key",
    provider: "News API",
    names: ["newsapi", "news api"],
    hints: ["key", "token"],
    shape: [run(HEX, 32)],
    rotation: "Regenerate it at https://newsapi.org/account",
    documentation: "https://newsapi.org/docs/authentication",
  }),
  contextRule({
    id: "ipinfo-token",
    display: "IPinfo token",
    provider: "IPinfo",
    names: ["ipinfo"],
    hints: ["token", "key"],
    shape: [run(HEX, 14)],
    entropy: 2.4,
    rotation: "Reset it at https://ipinfo.io/account/token",
    documentation: "https://ipinfo.io/developers#authentication",
  }),
  tokenRule({
    id: "mapbox-api-token",
    display: "Mapbox public token",
    provider: "Mapbox",
    shape: ["pk.", run(ALNUM, 60), ".", run(BASE64URL, 22)],
    keywords: ["pk."],
    entropy: 4,
    confidence: "low",
    rotation: `It is meant to be public; restrict it to addresses, or: ${MAPBOX_ROTATION}`,
    documentation: MAPBOX_FORMAT,
  }),
  tokenRule({
    id: "mapbox-secret-token",
    display: "Mapbox secret token",
    provider: "Mapbox",
    shape: [oneOf("sk.", "tk."), "eyJ1I", run(BASE64URL, 50, 240), ".", run(BASE64URL, 22)],
    keywords: ["sk.eyj1i", "tk.eyj1i"],
    entropy: 4,
    rotation: MAPBOX_ROTATION,
    documentation: MAPBOX_FORMAT,
  }),
];
