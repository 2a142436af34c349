{{- define "eurekube.container" -}}
- name: eurekube
  image: {{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  args:
    {{- include "eurekube.args" . | nindent 4 }}
  {{- with include "eurekube.goMemLimit" . }}
  env:
    - name: GOMEMLIMIT
      value: {{ . | quote }}
  {{- end }}
  ports:
    - name: {{ include "eurekube.scheme" . }}
      containerPort: 8761
    - name: admin
      containerPort: 8081
    {{- if .Values.bridge.callback.enabled }}
    - name: callback
      containerPort: 3000
    {{- end }}
  # Alive while the API server is away: a restart would only lose the last
  # view. Ready once the first whole list was processed.
  livenessProbe:
    httpGet:
      path: /healthz
      port: admin
    periodSeconds: 10
    failureThreshold: 3
  readinessProbe:
    httpGet:
      path: /readyz
      port: admin
    periodSeconds: 2
    failureThreshold: 2
  {{- with .Values.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities:
      drop: [ALL]
  {{- with include "eurekube.secretVolumes" . }}
  # Whole directories: a file mounted by subPath would never be renewed.
  volumeMounts:
    {{- range splitList "," . }}
    - name: {{ . }}
      mountPath: /etc/eurekube/{{ . }}
      readOnly: true
    {{- end }}
  {{- end }}
{{- end -}}

{{/* Every value has the name of its flag. */}}
{{- define "eurekube.args" -}}
- serve
{{- with .Values.namespaces }}
- --namespaces={{ join "," . }}
{{- end }}
{{- range .Values.labelPrefixes }}
- --label-prefix={{ . }}
{{- end }}
- --unready={{ .Values.unready }}
- --ip-family={{ .Values.ipFamily }}
- --pod-events={{ .Values.podEvents }}
- --publish-holdoff={{ .Values.publishHoldoff }}
- --publish-max-holdoff={{ .Values.publishMaxHoldoff }}
{{- include "eurekube.selfRegistrationArgs" . | nindent 0 }}
{{- with include "eurekube.bridgeArgs" . }}
{{- . | nindent 0 }}
{{- end }}
{{- with include "eurekube.webhookArgs" . }}
{{- . | nindent 0 }}
{{- end }}
- --drain={{ .Values.drain }}
- --header-timeout={{ .Values.headerTimeout }}
- --write-timeout={{ .Values.writeTimeout }}
- --idle-timeout={{ .Values.idleTimeout }}
{{- if .Values.tls.secretName }}
- --tls-cert=/etc/eurekube/tls/tls.crt
- --tls-key=/etc/eurekube/tls/tls.key
{{- end }}
- --v={{ .Values.verbosity }}
{{- end -}}
