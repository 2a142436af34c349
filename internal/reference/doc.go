// Package reference writes the parts of the documentation that the program
// itself knows, its flags and its metrics, as Markdown.
//
// It is for tests that compare docs/ with the code and rewrite it on demand. It
// is not for prose, and the program does not contain it.
package reference
