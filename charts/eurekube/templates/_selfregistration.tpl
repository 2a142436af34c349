{{/* YAML reads on and off without quotes as booleans. */}}
{{- define "eurekube.selfRegistration" -}}
{{- if kindIs "bool" .Values.selfRegistration -}}
{{- ternary "on" "off" .Values.selfRegistration -}}
{{- else -}}
{{- .Values.selfRegistration -}}
{{- end -}}
{{- end -}}

{{/* Empty when no client can set an override: nothing is kept then. */}}
{{- define "eurekube.overridesName" -}}
{{- if ne (include "eurekube.selfRegistration" .) "off" -}}
{{- printf "%s-overrides" (include "eurekube.fullname" . | trunc 53 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{/* Leases are not shared between servers: with two, a client would find only
those instances that registered at the server that it asks. */}}
{{- define "eurekube.replicas" -}}
{{- if kindIs "invalid" .Values.replicas -}}
{{- ternary 2 1 (eq (include "eurekube.selfRegistration" .) "off") -}}
{{- else -}}
{{- .Values.replicas -}}
{{- end -}}
{{- end -}}

{{- define "eurekube.selfRegistrationArgs" -}}
- --self-registration={{ include "eurekube.selfRegistration" . }}
- --claim-names={{ .Values.claimNames }}
- --self-preservation-threshold={{ .Values.selfPreservationThreshold }}
- --self-preservation-ceiling={{ .Values.selfPreservationCeiling }}
- --max-body={{ .Values.maxBody }}
{{- with include "eurekube.overridesName" . }}
- --overrides-configmap={{ . }}
{{- end }}
{{- if .Values.auth.secretName }}
- --auth-file=/etc/eurekube/auth/{{ .Values.auth.key }}
- --auth-reads={{ .Values.auth.reads }}
{{- else if .Values.auth.reads }}
{{- fail "auth.secretName must name the users when auth.reads is true: nobody could read" }}
{{- end }}
{{- end -}}
