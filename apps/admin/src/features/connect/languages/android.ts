import type { Language } from './language.ts';

/** Follows the README of Unleash/unleash-android at 1ac5661. */
export const android: Language = {
  id: 'android',
  label: 'Android (Kotlin)',
  kind: 'Mobile',
  token: 'frontend',
  sdk: { name: 'io.getunleash:unleash-android', version: '1.3.0' },
  isRun: false,
  install: 'implementation("io.getunleash:unleash-android:1.3.0")',
  syntax: 'kotlin',
  code: ({ url, token, flag, appName }) => `import android.app.Application
import android.util.Log
import io.getunleash.android.DefaultUnleash
import io.getunleash.android.UnleashConfig
import io.getunleash.android.events.UnleashReadyListener

class ShopApplication : Application() {
    override fun onCreate() {
        super.onCreate()
        val unleash = DefaultUnleash(
            androidContext = this,
            unleashConfig = UnleashConfig.newBuilder(appName = "${appName}")
                .proxyUrl("${url}/api/frontend")
                .clientKey("${token}")
                .build(),
        )
        unleash.start(
            eventListeners = listOf(object : UnleashReadyListener {
                override fun onReady() {
                    val state = if (unleash.isEnabled("${flag}")) "on" else "off"
                    Log.i("shop", "${flag} is $state")
                }
            }),
        )
    }
}
`,
};
