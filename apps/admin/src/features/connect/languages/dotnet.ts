import type { Language } from './language.ts';

export const dotnet: Language = {
  id: 'dotnet',
  label: '.NET',
  kind: 'Server',
  token: 'backend',
  sdk: { name: 'Unleash.Client', version: '6.1.0' },
  isRun: false,
  install: 'dotnet add package Unleash.Client',
  run: { file: 'Program.cs', command: 'dotnet run' },
  syntax: 'csharp',
  code: ({ url, token, flag, appName }) => `using Unleash;
using Unleash.ClientFactory;

var settings = new UnleashSettings
{
    UnleashApi = new Uri("${url}/api/"),
    AppName = "${appName}",
    CustomHttpHeaders = new Dictionary<string, string>
    {
        { "Authorization", "${token}" },
    },
};
var factory = new UnleashClientFactory();
var unleash = await factory.CreateClientAsync(settings, synchronousInitialization: true);

while (true)
{
    var isOn = unleash.IsEnabled("${flag}", new UnleashContext { UserId = "user-1" });
    Console.WriteLine($"${flag} is {(isOn ? "on" : "off")}");
    await Task.Delay(1000);
}
`,
};
