import type { Language } from './language.ts';

export const browser: Language = {
  id: 'browser',
  label: 'JavaScript (browser)',
  kind: 'Browser',
  token: 'frontend',
  sdk: { name: 'unleash-proxy-client', version: '3.8.2' },
  isRun: true,
  install: 'npm install unleash-proxy-client',
  syntax: 'js',
  code: ({ url, token, flag, appName }) => `import { UnleashClient } from 'unleash-proxy-client';

const unleash = new UnleashClient({
  url: '${url}/api/frontend',
  clientKey: '${token}',
  appName: '${appName}',
});

await unleash.setContextField('userId', 'user-1');
await unleash.start();

const isOn = unleash.isEnabled('${flag}');
console.log(\`${flag} is \${isOn ? 'on' : 'off'}\`);
`,
};
