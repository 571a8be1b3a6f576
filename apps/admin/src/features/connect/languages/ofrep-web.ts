import type { Language } from './language.ts';

export const ofrepWeb: Language = {
  id: 'ofrep-web',
  label: 'OpenFeature (browser)',
  kind: 'OpenFeature',
  token: 'frontend',
  sdk: { name: '@openfeature/ofrep-web-provider', version: '0.4.3' },
  isRun: true,
  install: 'npm install @openfeature/web-sdk @openfeature/ofrep-core @openfeature/ofrep-web-provider',
  syntax: 'js',
  note: 'This provider asks for all flags at once and does not name the application: the page shows the use of the token, within 30 seconds.',
  code: ({ url, token, flag }) => `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';

const provider = new OFREPWebProvider({
  baseUrl: '${url}',
  headers: [['Authorization', '${token}']],
});
await OpenFeature.setContext({ targetingKey: 'user-1' });
await OpenFeature.setProviderAndWait(provider);

const isOn = OpenFeature.getClient().getBooleanValue('${flag}', false);
console.log(\`${flag} is \${isOn ? 'on' : 'off'}\`);
`,
};
