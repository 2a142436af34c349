package client

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/internal/pause"
)

// A copy on disk is one line that says what follows, and the list as servers write
// it. The line holds the version of the format, when the list was current, in
// milliseconds since 1970, and the SHA-256 of the rest.
const fileHead = "eurekube-list 1 %d %x\n"

// saveInterval is how far apart two writes of the file are: a crash loses changes
// of that long, which the next process reads from a server anyway.
const saveInterval = 30 * time.Second

// load reads the file, for when no server answers. A file that is not there is
// no fault; a damaged one is as good as none.
func (f *follower) load(ctx context.Context) {
	removeUnfinished(f.config.File)
	saved, at, err := readFile(f.config.File, f.servers.max)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		f.stats.fileErrors.Add(1)
		klog.FromContext(ctx).Error(err, "Could not use the saved list", "file", f.config.File)
	case saved.census.Total() > 0:
		f.saved, f.savedAt = saved, at
	}
}

// useSaved shows the list of the file if there is none yet.
func (f *follower) useSaved(ctx context.Context) {
	if f.saved == nil || f.view.Load().known {
		return
	}
	klog.FromContext(ctx).Info("Use the saved list", "file", f.config.File, "instances", f.saved.census.Total(), "savedAt", f.savedAt)
	f.confirmed.Store(f.savedAt.UnixMilli())
	f.show(f.saved)
	f.saved = nil
}

func readFile(path string, longest int64) (*view, time.Time, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(file, longest))
	if err != nil {
		return nil, time.Time{}, err
	}
	return parseFile(text)
}

// parseFile reads what formatFile wrote.
func parseFile(text []byte) (*view, time.Time, error) {
	head, list, _ := bytes.Cut(text, []byte("\n"))
	var at int64
	var sum []byte
	if _, err := fmt.Sscanf(string(head)+"\n", fileHead, &at, &sum); err != nil {
		return nil, time.Time{}, errors.New("the saved list has no head of version 1")
	}
	if found := sha256.Sum256(list); !bytes.Equal(found[:], sum) {
		return nil, time.Time{}, errors.New("the saved list is damaged")
	}
	apps, err := codec.DecodeApplications(codec.JSON, list)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("saved list: %w", err)
	}
	return viewOf(apps.Applications), time.UnixMilli(at), nil
}

func (d *Discovery) formatFile(v *view) []byte {
	list := codec.JSON.AppendApplications(nil, &eureka.Applications{AppsHashCode: v.census.HashCode(), Applications: v.applications()})
	head := fmt.Appendf(nil, fileHead, d.confirmed.Load(), sha256.Sum256(list))
	return append(head, list...)
}

// save writes the list when it is not v any more, at once for the first time, then
// an interval apart, and once more when ctx ends.
func (d *Discovery) save(ctx context.Context, v *view) {
	failing := false // and the log says so
	for {
		select {
		case <-ctx.Done():
		case <-v.superseded:
		}
		if latest := d.view.Load(); latest != v {
			v = latest
			err := writeFile(d.config.File, d.formatFile(v))
			if err != nil {
				d.stats.fileErrors.Add(1)
			}
			if err != nil && !failing {
				klog.FromContext(ctx).Error(err, "Could not save the list, trying again after each change", "file", d.config.File)
			}
			failing = err != nil
		}
		if ctx.Err() != nil {
			return
		}
		pause.For(ctx, saveInterval)
	}
}

// temporary is what writeFile calls a file that is not whole yet: the star is a
// number.
const temporary = ".*.tmp"

// removeUnfinished removes what processes left that ended while they wrote. Only one
// Discovery uses a file, so nobody is writing now.
func removeUnfinished(path string) {
	before, suffix, _ := strings.Cut(temporary, "*")
	prefix := filepath.Base(path) + before
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return // writing the list fails too, and tells
	}
	for _, entry := range entries {
		rest, ok := strings.CutPrefix(entry.Name(), prefix)
		number, isOne := strings.CutSuffix(rest, suffix)
		if _, err := strconv.ParseUint(number, 10, 64); ok && isOne && err == nil {
			_ = os.Remove(filepath.Join(filepath.Dir(path), entry.Name())) // it is in nobody's way
		}
	}
}

// writeFile replaces a file as a whole: whoever reads it sees the old one or the new
// one. Metadata may hold secrets, so it is for the owner alone.
func writeFile(path string, text []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+temporary) // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name()) // it is of no use, and the error is told
		}
	}()
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync() // or a crash could leave an empty file under the name
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
