{{/* The name of each object: that of the release when it contains "yardarm", as in `helm install yardarm`. */}}
{{- define "yardarm.name" -}}
{{- if contains "yardarm" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-yardarm" (.Release.Name | trunc 42 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "yardarm.selector" -}}
app.kubernetes.io/name: yardarm
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "yardarm.labels" -}}
{{ include "yardarm.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}
