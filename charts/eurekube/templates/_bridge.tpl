{{- define "eurekube.bridgeArgs" -}}
{{- $on := list -}}
{{- range $name, $bridge := .Values.bridge -}}
{{- if $bridge.enabled }}{{ $on = append $on $name }}{{ end -}}
{{- end -}}
{{- with $on -}}
- --bridge={{ join "," . }}
{{- end -}}
{{- with .Values.bridge.geerpc }}
{{- if .enabled }}
- --geerpc-app={{ .app }}
- --geerpc-ttl={{ .ttl }}
{{- end }}
{{- end }}
{{- with .Values.bridge.callback }}
{{- if and .enabled .targets }}
- --callback-targets={{ join "," .targets }}
{{- end }}
{{- end }}
{{- end -}}
