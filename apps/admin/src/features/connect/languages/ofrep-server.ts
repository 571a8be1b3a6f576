import type { Language } from './language.ts';

export const ofrepServer: Language = {
  id: 'ofrep-server',
  label: 'OpenFeature (Node.js)',
  kind: 'OpenFeature',
  token: 'backend',
  sdk: { name: '@openfeature/ofrep-provider', version: '0.1.3' },
  isRun: true,
  install: 'npm install @openfeature/server-sdk @openfeature/ofrep-core @openfeature/ofrep-provider',
  run: { file: 'app.mjs', command: 'node app.mjs' },
  syntax: 'js',
  code: ({ url, token, flag, appName }) => `import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

const provider = new OFREPProvider({
  baseUrl: '${url}',
  headers: [['Authorization', '${token}']],
});
await OpenFeature.setProviderAndWait(provider);

const user = { targetingKey: 'user-1', appName: '${appName}' };
const isOn = await OpenFeature.getClient().getBooleanValue('${flag}', false, user);
console.log(\`${flag} is \${isOn ? 'on' : 'off'}\`);
`,
};
