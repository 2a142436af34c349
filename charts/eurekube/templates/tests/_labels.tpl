{{- define "eurekube.testLabels" -}}
app.kubernetes.io/name: {{ include "eurekube.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: test
{{- end -}}
