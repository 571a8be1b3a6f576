import type { Language } from './language.ts';

export const java: Language = {
  id: 'java',
  label: 'Java',
  kind: 'Server',
  token: 'backend',
  sdk: { name: 'io.getunleash:unleash-client-java', version: '12.2.3' },
  isRun: false,
  install: 'implementation("io.getunleash:unleash-client-java:12.2.3")',
  syntax: 'java',
  code: ({ url, token, flag, appName }) => `import io.getunleash.DefaultUnleash;
import io.getunleash.Unleash;
import io.getunleash.UnleashContext;
import io.getunleash.util.UnleashConfig;

public class Shop {
    public static void main(String[] args) throws InterruptedException {
        UnleashConfig config = UnleashConfig.builder()
            .unleashAPI("${url}/api")
            .appName("${appName}")
            .customHttpHeader("Authorization", "${token}")
            .synchronousFetchOnInitialisation(true)
            .build();
        Unleash unleash = new DefaultUnleash(config);

        UnleashContext user = UnleashContext.builder().userId("user-1").build();
        while (true) {
            boolean isOn = unleash.isEnabled("${flag}", user);
            System.out.println("${flag} is " + (isOn ? "on" : "off"));
            Thread.sleep(1000);
        }
    }
}
`,
};
