package devcluster

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FakeNodes are the nodes that kwok plays the kubelet of, each in a zone of its
// own. The scheduler knows no others unless a test creates them.
var FakeNodes = map[string]string{
	"fake-a": "zone-a",
	"fake-b": "zone-b",
}

// fakeNodeLabel is what kwok looks for; a node without it is left to tests.
const fakeNodeLabel = "devcluster.eurekube.io/fake=true"

func (c *Cluster) createFakeNodes(ctx context.Context) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	for name, zone := range FakeNodes {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: name,
			Labels: map[string]string{
				"devcluster.eurekube.io/fake": "true",
				corev1.LabelTopologyZone:      zone,
				corev1.LabelHostname:          name,
			},
		}}
		if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("create node %s: %w", name, err)
		}
	}
	return nil
}
