import type { Language } from './language.ts';

export const ruby: Language = {
  id: 'ruby',
  label: 'Ruby',
  kind: 'Server',
  token: 'backend',
  sdk: { name: 'unleash', version: '3.2.5' },
  isRun: true,
  install: 'gem install unleash',
  run: { file: 'app.rb', command: 'ruby app.rb' },
  syntax: 'ruby',
  code: ({ url, token, flag, appName }) => `require 'unleash'

unleash = Unleash::Client.new(
  url: '${url}/api',
  app_name: '${appName}',
  custom_http_headers: { 'Authorization' => '${token}' },
  metrics_interval: 5 # reports evaluations every 5 seconds
)

context = Unleash::Context.new(user_id: 'user-1')
loop do
  state = unleash.is_enabled?('${flag}', context) ? 'on' : 'off'
  puts "${flag} is #{state}"
  sleep 1
end
`,
};
