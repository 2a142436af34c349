{{- define "eurekube.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The release's name alone when it already says what is in it. */}}
{{- define "eurekube.fullname" -}}
{{- $name := include "eurekube.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Names of objects outside the release's namespace carry that namespace, so
that two releases of one name do not fight over them. */}}
{{- define "eurekube.roleName" -}}
{{- printf "%s-%s" .Release.Namespace (include "eurekube.fullname" .) -}}
{{- end -}}

{{- define "eurekube.adminServiceName" -}}
{{- printf "%s-admin" (include "eurekube.fullname" . | trunc 57 | trimSuffix "-") -}}
{{- end -}}

{{- define "eurekube.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "eurekube.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name must be given when serviceAccount.create is false" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Name of the API's port, which is also its scheme. */}}
{{- define "eurekube.scheme" -}}
{{- ternary "https" "http" (ne .Values.tls.secretName "") -}}
{{- end -}}

{{- define "eurekube.url" -}}
{{- printf "%s://%s.%s.svc:8761/eureka/" (include "eurekube.scheme" .) (include "eurekube.fullname" .) .Release.Namespace -}}
{{- end -}}
