import type { Language } from './language.ts';

/** Follows the README of Unleash/unleash-flutter-sdk at 15f3d94. */
export const flutter: Language = {
  id: 'flutter',
  label: 'Flutter',
  kind: 'Mobile',
  token: 'frontend',
  sdk: { name: 'unleash_proxy_client_flutter', version: '1.5.2' },
  isRun: false,
  install: 'flutter pub add unleash_proxy_client_flutter',
  syntax: 'dart',
  code: ({
    url,
    token,
    flag,
    appName,
  }) => `import 'package:unleash_proxy_client_flutter/unleash_proxy_client_flutter.dart';

void main() {
  final unleash = UnleashClient(
    url: Uri.parse('${url}/api/frontend'),
    clientKey: '${token}',
    appName: '${appName}',
  );
  unleash.on('ready', (_) {
    final state = unleash.isEnabled('${flag}') ? 'on' : 'off';
    print('${flag} is $state');
  });
  unleash.start();
}
`,
};
