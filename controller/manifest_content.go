package controller

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// maxManifestMiB bounds one file, whose pods are held whole while they are
// decoded. Ten thousand pods take about 6 MiB.
const (
	maxManifestMiB  = 16
	maxManifestSize = maxManifestMiB << 20
)

// contentOf reads a manifest that looked like seen a moment ago. It neither
// waits for the writer of a pipe nor drinks from a device without end: a link
// may lead to anything, and the file may have become something else meanwhile.
func contentOf(path string, seen fs.FileInfo) ([]byte, error) {
	if err := readable(seen); err != nil {
		return nil, err // some devices do things when they are opened
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close() // nothing was written that could be lost
	now, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if err := readable(now); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, maxManifestSize+1))
	if err == nil && len(data) > maxManifestSize {
		err = errTooLarge
	}
	return data, err
}

var errTooLarge = fmt.Errorf("the file is larger than %d MiB, split it", maxManifestMiB)

func readable(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return errors.New("it is no regular file")
	case info.Size() > maxManifestSize:
		return errTooLarge
	}
	return nil
}
