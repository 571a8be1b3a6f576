import type { Language } from './language.ts';

/** Follows the README of Unleash/unleash-rust-sdk at 0c9ada4. */
export const rust: Language = {
  id: 'rust',
  label: 'Rust',
  kind: 'Server',
  token: 'backend',
  sdk: { name: 'unleash-api-client', version: '0.17.0' },
  isRun: false,
  install: `cargo add unleash-api-client --features reqwest-client
cargo add tokio --features macros,rt-multi-thread,time
cargo add futures`,
  run: { file: 'src/main.rs', command: 'cargo run' },
  syntax: 'rust',
  code: ({ url, token, flag, appName }) => `use std::time::Duration;
use unleash_api_client::client::{ClientBuilder, FeatureKey};

#[derive(Debug, Clone, Copy, FeatureKey)]
enum Flags {
    #[feature_name("${flag}")]
    Flag,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let client = ClientBuilder::default().into_client::<Flags>(
        "${url}/api",
        "${appName}",
        "instance-1",
        Some("${token}".to_string()),
    )?;
    client.register().await?;
    futures::future::join(client.poll_for_updates(), async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        println!("${flag} is on: {}", client.is_enabled(Flags::Flag, None, false));
    })
    .await;
    Ok(())
}
`,
};
