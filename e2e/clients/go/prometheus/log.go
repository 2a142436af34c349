package main

import (
	"bytes"
	"io"
	"log/slog"
	"os"
)

// logHandler writes entries as cases read them: the level comes first.
func logHandler() slog.Handler {
	return slog.NewTextHandler(levelFirst{os.Stdout}, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, attr slog.Attr) slog.Attr {
			if attr.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return attr
		},
	})
}

// levelFirst takes the key off the level, with which an entry begins.
type levelFirst struct{ io.Writer }

func (w levelFirst) Write(entry []byte) (int, error) {
	if _, err := w.Writer.Write(bytes.TrimPrefix(entry, []byte(slog.LevelKey+"="))); err != nil {
		return 0, err
	}
	return len(entry), nil
}
