import type { Language } from './language.ts';

export const python: Language = {
  id: 'python',
  label: 'Python',
  kind: 'Server',
  token: 'backend',
  sdk: { name: 'UnleashClient', version: '6.8.0' },
  isRun: false,
  install: 'pip install UnleashClient',
  run: { file: 'app.py', command: 'python3 app.py' },
  syntax: 'python',
  code: ({ url, token, flag, appName }) => `import time

from UnleashClient import UnleashClient

client = UnleashClient(
    url="${url}/api",
    app_name="${appName}",
    custom_headers={"Authorization": "${token}"},
)
client.initialize_client()

while True:
    is_on = client.is_enabled("${flag}", {"userId": "user-1"})
    print("${flag} is", "on" if is_on else "off")
    time.sleep(1)
`,
};
