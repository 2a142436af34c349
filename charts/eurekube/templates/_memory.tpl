{{/* Nine tenths of limits.memory in bytes, for GOMEMLIMIT: the limit of the
cgroup also counts what the Go runtime does not see (the binary, the kernel's
socket buffers). Empty without a limit. A number comes as a float, which as
text would be 1.34217728e+08. */}}
{{- define "eurekube.goMemLimit" -}}
{{- $limit := dig "limits" "memory" "" .Values.resources -}}
{{- if kindIs "float64" $limit -}}
{{- $limit = int64 $limit -}}
{{- end -}}
{{- $limit = toString $limit -}}
{{- if $limit -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 -}}
{{- $unit := regexFind "[A-Za-z]*$" $limit -}}
{{- $bytes := mul (trimSuffix $unit $limit | int64) (get $units $unit) -}}
{{- div (mul $bytes 9) 10 -}}
{{- end -}}
{{- end -}}
