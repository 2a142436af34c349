module github.com/eurekube/eurekube

go 1.26.0
