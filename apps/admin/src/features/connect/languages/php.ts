import type { Language } from './language.ts';

export const php: Language = {
  id: 'php',
  label: 'PHP',
  kind: 'Server',
  token: 'backend',
  sdk: { name: 'unleash/client', version: '2.10.1' },
  isRun: false,
  install: 'composer require unleash/client guzzlehttp/guzzle symfony/cache',
  run: { file: 'app.php', command: 'php app.php' },
  syntax: 'php',
  code: ({ url, token, flag, appName }) => `<?php

require 'vendor/autoload.php';

use Unleash\\Client\\Configuration\\UnleashContext;
use Unleash\\Client\\UnleashBuilder;

$unleash = UnleashBuilder::create()
    ->withAppUrl('${url}/api')
    ->withAppName('${appName}')
    ->withInstanceId(gethostname())
    ->withHeader('Authorization', '${token}')
    ->build();

while (true) {
    $isOn = $unleash->isEnabled('${flag}', new UnleashContext(currentUserId: 'user-1'));
    echo '${flag} is ', $isOn ? 'on' : 'off', PHP_EOL;
    sleep(1);
}
`,
};
