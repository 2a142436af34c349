{{/* Selectors cannot be changed after installation, so nothing here may move
with a version. The component keeps the test pod out of them. */}}
{{- define "eurekube.selectorLabels" -}}
app.kubernetes.io/name: {{ include "eurekube.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: server
{{- end -}}

{{/* Labels of every object but the pods. The component is the caller's: it
tells the two Services apart. */}}
{{- define "eurekube.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/name: {{ include "eurekube.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: eurekube
{{- end -}}

{{/* The chart's own labels win over podLabels: a pod outside the selectors
would make the API server refuse the Deployment. */}}
{{- define "eurekube.podLabels" -}}
{{- $own := include "eurekube.selectorLabels" . | fromYaml -}}
{{- toYaml (merge $own (deepCopy .Values.podLabels)) -}}
{{- end -}}
