import type { Language } from './language.ts';

export const node: Language = {
  id: 'node',
  label: 'Node.js',
  kind: 'Server',
  token: 'backend',
  sdk: { name: 'unleash-client', version: '6.12.1' },
  isRun: true,
  install: 'npm install unleash-client',
  run: { file: 'app.mjs', command: 'node app.mjs' },
  syntax: 'js',
  code: ({ url, token, flag, appName }) => `import { startUnleash } from 'unleash-client';

const unleash = await startUnleash({
  url: '${url}/api',
  appName: '${appName}',
  customHeaders: { Authorization: '${token}' },
  metricsInterval: 5000, // reports evaluations every 5 seconds; the default is a minute
});

setInterval(() => {
  const isOn = unleash.isEnabled('${flag}', { userId: 'user-1' });
  console.log(\`${flag} is \${isOn ? 'on' : 'off'}\`);
}, 1000);
`,
};
