package controller

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
)

// manifestFile is one file of the directory and the pods of its last good
// content.
type manifestFile struct {
	name     string
	seen     fs.FileInfo // at the latest look, nil when it was missing
	taken    fs.FileInfo // when it was read, nil before
	content  [sha256.Size]byte
	pods     []manifestPod
	problems problems // of the latest content, good or not
}

// manifestPod is a pod and the document that it comes from, counted from 1.
type manifestPod struct {
	document int
	pod      *corev1.Pod
}

// look notes what the file looks like now and reports whether it is to be read:
// it is not what was read before, and it stood still between two looks, so that
// no file is read while somebody writes it. The first look at a directory reads
// at once.
func (f *manifestFile) look(now fs.FileInfo, first bool) bool {
	still := first || same(f.seen, now)
	f.seen = now
	return still && !same(f.taken, now)
}

// vanished notes that the file is missing and reports whether it was missing
// before, too: editors remove a file for a moment when they save it.
func (f *manifestFile) vanished() bool {
	gone := f.seen == nil
	f.seen = nil
	return gone
}

// same reports whether both looks saw the same file in the same state. A
// swapped link leads to another file even when size and time agree.
func same(a, b fs.FileInfo) bool {
	return a != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}

// read takes the content over. A ConfigMap mount replaces all files when one
// changes, so content that is the same keeps its pods and their times.
func (f *manifestFile) read(directory string, prefixes []string) {
	f.taken = f.seen
	data, err := contentOf(filepath.Join(directory, f.name), f.seen)
	if err != nil {
		f.content = [sha256.Size]byte{}
		f.broken(err)
		return
	}
	sum := sha256.Sum256(data)
	if sum == f.content {
		return
	}
	f.content = sum
	f.problems = problems{}
	pods, err := f.decode(data, prefixes)
	if err != nil {
		f.broken(err)
		return
	}
	f.pods = pods
}

// broken makes err the file's only problem: nothing else in it has an effect.
func (f *manifestFile) broken(err error) {
	f.problems = problems{}
	e := effectLastGood
	if len(f.pods) == 0 {
		e = effectUnserved
	}
	f.note(documentOf(err), e, err.Error())
}
