package codec_test

import (
	"encoding/json"
	"errors"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// isXML reports whether f is written by encoding/xml's rules.
func isXML(f codec.Form) bool { return f == codec.XML || f == codec.XMLCompact }

// readPlainInstance reads the document of an instance without package codec.
func readPlainInstance(f codec.Form, body []byte) (*eureka.Instance, error) {
	if isXML(f) {
		var p plainXMLInstance
		if err := unmarshalXML(body, &p); err != nil {
			return nil, err
		}
		return p.json().words()
	}
	p, err := readPlainJSON(body)
	if err != nil || p.Instance == nil {
		return nil, errors.Join(err, errors.New("no instance"))
	}
	return p.Instance.words()
}

// readPlainApplication reads the document of an application without package
// codec.
func readPlainApplication(f codec.Form, body []byte) (*eureka.Application, error) {
	if isXML(f) {
		var p plainXMLApplication
		if err := unmarshalXML(body, &p); err != nil {
			return nil, err
		}
		return p.json().words()
	}
	p, err := readPlainJSON(body)
	if err != nil || p.Application == nil {
		return nil, errors.Join(err, errors.New("no application"))
	}
	return p.Application.words()
}

// readPlainApplications reads the document of a collection without package
// codec.
func readPlainApplications(f codec.Form, body []byte) (*eureka.Applications, error) {
	if isXML(f) {
		var p plainXMLApplications
		if err := unmarshalXML(body, &p); err != nil {
			return nil, err
		}
		return p.json().words()
	}
	p, err := readPlainJSON(body)
	if err != nil || p.Applications == nil {
		return nil, errors.Join(err, errors.New("no applications"))
	}
	return p.Applications.words()
}

// readPlainJSON reads a JSON document.
func readPlainJSON(body []byte) (*plainJSON, error) {
	var p plainJSON
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, err
	}
	return &p, nil
}
