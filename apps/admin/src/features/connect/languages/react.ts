import type { Language } from './language.ts';

export const react: Language = {
  id: 'react',
  label: 'React',
  kind: 'Browser',
  token: 'frontend',
  sdk: { name: '@unleash/proxy-client-react', version: '5.1.0' },
  isRun: true,
  install: 'npm install @unleash/proxy-client-react unleash-proxy-client',
  syntax: 'jsx',
  code: ({ url, token, flag, appName }) => `import { FlagProvider, useFlag } from '@unleash/proxy-client-react';
import { createRoot } from 'react-dom/client';

const config = {
  url: '${url}/api/frontend',
  clientKey: '${token}',
  appName: '${appName}',
};

function Checkout() {
  const isOn = useFlag('${flag}');
  return <p>{\`${flag} is \${isOn ? 'on' : 'off'}\`}</p>;
}

createRoot(document.getElementById('root')).render(
  <FlagProvider config={config}>
    <Checkout />
  </FlagProvider>,
);
`,
};
