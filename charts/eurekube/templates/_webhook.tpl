{{/* The Lease by which replicas agree on the one that tells webhooks. Empty when
there are none. */}}
{{- define "eurekube.webhookLease" -}}
{{- if or .Values.webhook.urls (and .Values.webhook.secretName .Values.webhook.urlsKey) -}}
{{- printf "%s-webhook" (include "eurekube.fullname" . | trunc 55 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "eurekube.webhookArgs" -}}
{{- $lease := include "eurekube.webhookLease" . -}}
{{- with .Values.webhook -}}
{{- if and .urlsKey (not .secretName) }}
{{- fail "webhook.secretName must name the Secret that webhook.urlsKey is a key of" }}
{{- end }}
{{- if $lease -}}
- --webhook-lease={{ $lease }}
{{- range .urls }}
- --webhook={{ . }}
{{- end }}
{{- if .urlsKey }}
- --webhook-file=/etc/eurekube/webhook/{{ .urlsKey }}
{{- end }}
{{- if and .secretName .secretKey }}
- --webhook-secret-file=/etc/eurekube/webhook/{{ .secretKey }}
{{- end }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The volumes that are Secrets, as their names separated by commas. */}}
{{- define "eurekube.secretVolumes" -}}
{{- $names := list -}}
{{- range tuple "tls" "auth" "webhook" -}}
{{- if (get $.Values .).secretName }}{{ $names = append $names . }}{{ end -}}
{{- end -}}
{{- join "," $names -}}
{{- end -}}
