# Runs the SDK of Unleash for Ruby. Each line of input is a question in JSON, and each line of output its answer.
require 'json'
require 'logger'
require 'unleash'

$stdout.sync = true
unleash = Unleash::Client.new(
  url: ENV.fetch('UNLEASH_URL'),
  app_name: ENV.fetch('UNLEASH_APP_NAME'),
  custom_http_headers: { 'Authorization' => ENV.fetch('UNLEASH_API_TOKEN') },
  backup_file: ENV.fetch('UNLEASH_BACKUP_FILE'),
  refresh_interval: 0.1,
  metrics_interval: 3600,
  logger: Logger.new($stderr)
)
puts JSON.generate({ version: Unleash::VERSION })

$stdin.each_line do |line|
  question = JSON.parse(line)
  context = Unleash::Context.new(question['context'] || {})
  answer =
    begin
      case question['ask']
      when 'isEnabled' then unleash.is_enabled?(question['flag'], context)
      when 'getVariant'
        variant = unleash.get_variant(question['flag'], context, Unleash::Variant.new(name: 'fallback'))
        { name: variant.name, enabled: variant.enabled, payload: variant.payload }
      when 'sendMetrics' then Unleash.reporter.send && 'sent'
      end
    rescue StandardError => e
      { raised: e.class.name }
    end
  puts JSON.generate(answer)
end
