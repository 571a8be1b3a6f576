import type { Language } from './language.ts';

export const go: Language = {
  id: 'go',
  label: 'Go',
  kind: 'Server',
  token: 'backend',
  sdk: { name: 'unleash-go-sdk', version: '5.0.3' },
  isRun: false,
  install: 'go get github.com/Unleash/unleash-go-sdk/v5',
  run: { file: 'main.go', command: 'go run main.go' },
  syntax: 'go',
  code: ({ url, token, flag, appName }) => `package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/Unleash/unleash-go-sdk/v5"
	"github.com/Unleash/unleash-go-sdk/v5/context"
)

func main() {
	unleash.Initialize(
		unleash.WithListener(&unleash.DebugListener{}),
		unleash.WithUrl("${url}/api"),
		unleash.WithAppName("${appName}"),
		unleash.WithCustomHeaders(http.Header{"Authorization": {"${token}"}}),
	)
	unleash.WaitForReady()

	user := context.Context{UserId: "user-1"}
	for {
		isOn := unleash.IsEnabled("${flag}", unleash.WithContext(user))
		fmt.Println("${flag} is on:", isOn)
		time.Sleep(time.Second)
	}
}
`,
};
