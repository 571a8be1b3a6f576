{{/* The pod of the Deployment and of the StatefulSet. */}}
{{- define "yardarm.pod" -}}
metadata:
  labels:
    {{- include "yardarm.labels" . | nindent 4 }}
  annotations:
    # A changed setting replaces the pods.
    checksum/settings: {{ include "yardarm.settings" . | sha256sum }}
    {{- with .Values.annotations.pod }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "yardarm.name" . }}
  automountServiceAccountToken: false
  # Else a Service with the name yardarm sets YARDARM_SERVICE_HOST, which is no setting, and the server does not start.
  enableServiceLinks: false
  securityContext:
    runAsNonRoot: true
    {{- if not .Values.openshift }}
    runAsUser: 65532
    runAsGroup: 65532
    # Files of the Secret and of the volume belong to this group.
    fsGroup: 65532
    {{- end }}
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  # During YARDARM_SHUTDOWN_DELAY requests are still served, so no preStop hook has to wait for the endpoints.
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  {{- if eq .Values.storage "postgres" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "yardarm.selector" . | nindent 10 }}
  {{- end }}
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  initContainers:
    # The server migrates when it starts, too, but the startup probe would end a migration that takes minutes, such as an
    # index on a large log.
    - name: migrate
      args: [migrate]
      {{- include "yardarm.container" . | nindent 6 }}
  containers:
    - name: yardarm
      args: [start]
      {{- include "yardarm.container" . | nindent 6 }}
      ports:
        - name: http
          containerPort: 4242
      startupProbe:
        httpGet:
          path: /health
          port: http
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 60
      readinessProbe:
        httpGet:
          path: {{ .Values.readyWithoutDatabase | ternary "/health" "/ready" }}
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
        # A failover of PostgreSQL within 30 seconds leaves the pods in the Service, where SDKs get flags from memory.
        failureThreshold: 6
      livenessProbe:
        httpGet:
          path: /health
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
  volumes:
    - name: secrets
      secret:
        secretName: {{ .Values.secret }}
        # 0440: for the group, which is fsGroup. Parsers of YAML differ about octal numbers.
        defaultMode: 288
    {{- with .Values.privateCa.configMap }}
    - name: private-ca
      configMap:
        name: {{ . }}
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* What both containers of a pod have. */}}
{{- define "yardarm.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
envFrom:
  - configMapRef:
      name: {{ include "yardarm.name" . }}-settings
env:
  {{- if eq .Values.storage "postgres" }}
  - name: DATABASE_URL_FILE
    value: /run/secrets/yardarm/database-url
  {{- else }}
  # The volume belongs to root. A folder below it is created with the mode 0700 for the user of the process.
  - name: YARDARM_DATA_DIR
    value: /data/yardarm
  {{- end }}
  - name: UNLEASH_SECRET_FILE
    value: /run/secrets/yardarm/encryption-key
  {{- range $setting, $key := .Values.secretSettings }}
  - name: {{ $setting }}_FILE
    value: /run/secrets/yardarm/{{ $key }}
  {{- end }}
  {{- if .Values.privateCa.configMap }}
  # Node adds these certificates to those of public CAs.
  - name: NODE_EXTRA_CA_CERTS
    value: /run/private-ca/{{ .Values.privateCa.key }}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  {{- if eq .Values.storage "sqlite" }}
  - name: data
    mountPath: /data
  {{- end }}
  - name: secrets
    mountPath: /run/secrets/yardarm
    readOnly: true
  {{- if .Values.privateCa.configMap }}
  - name: private-ca
    mountPath: /run/private-ca
    readOnly: true
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
