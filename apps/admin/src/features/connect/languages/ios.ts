import type { Language } from './language.ts';

/** Follows the README of Unleash/unleash-ios-sdk at 0bb9888. */
export const ios: Language = {
  id: 'ios',
  label: 'iOS (Swift)',
  kind: 'Mobile',
  token: 'frontend',
  sdk: { name: 'UnleashProxyClientSwift', version: '2.3.0' },
  isRun: false,
  install: '.package(url: "https://github.com/Unleash/unleash-ios-sdk.git", from: "2.3.0")',
  syntax: 'swift',
  code: ({ url, token, flag, appName }) => `import UnleashProxyClientSwift

let unleash = UnleashClient(
    unleashUrl: "${url}/api/frontend",
    clientKey: "${token}",
    appName: "${appName}",
    context: ["userId": "user-1"]
)

unleash.subscribe(.ready) {
    let state = unleash.isEnabled(name: "${flag}") ? "on" : "off"
    print("${flag} is \\(state)")
}
unleash.start()
`,
};
