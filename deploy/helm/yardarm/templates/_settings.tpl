{{/* The settings that are no secrets: what the ingress needs, and those of the user, which come first. */}}
{{- define "yardarm.settings" -}}
{{- $settings := dict -}}
{{- if .Values.ingress.enabled -}}
{{- $_ := set $settings "UNLEASH_URL" (printf "https://%s" .Values.ingress.host) -}}
{{- $_ := set $settings "YARDARM_TRUST_PROXY" .Values.ingress.proxies -}}
{{- $_ := set $settings "SECURE_HEADERS" true -}}
{{- end -}}
{{- range $name, $value := .Values.settings -}}
{{- $_ := set $settings $name $value -}}
{{- end -}}
{{- range $name, $value := $settings }}
{{ $name }}: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
{{- end -}}
{{- end -}}
