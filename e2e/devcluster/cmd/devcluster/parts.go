package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kwokconfig "sigs.k8s.io/kwok/pkg/config"
	kwok "sigs.k8s.io/kwok/pkg/kwok/cmd"
	kwoklog "sigs.k8s.io/kwok/pkg/log"
)

// runPart runs one part of the control plane until it ends and returns its
// exit code. Each part owns the flags and the global state of its process,
// which is why every part is a process of its own.
func runPart(part string, args []string) (code int, known bool) {
	switch part {
	case "etcd":
		return exitCode(runEtcd(args)), true
	case "apiserver":
		return runCommand(apiserver.NewAPIServerCommand(), args), true
	case "controller-manager":
		return runCommand(controllermanager.NewControllerManagerCommand(), args), true
	case "scheduler":
		return runCommand(scheduler.NewSchedulerCommand(), args), true
	case "kwok":
		return exitCode(runKwok(args)), true
	case "kubectl":
		runKubectl(args)
		return 0, true
	}
	return 0, false
}

func runCommand(command *cobra.Command, args []string) int {
	command.SetArgs(args)
	return cli.Run(command)
}

// etcdStartTimeout is far above the second that etcd needs on an idle machine,
// so that only a broken start reaches it.
const etcdStartTimeout = 30 * time.Second

func runEtcd(args []string) error {
	flags := pflag.NewFlagSet("etcd", pflag.ContinueOnError)
	dir := flags.String("data-dir", "", "directory of the database")
	client := flags.String("client-url", "", "URL that clients use")
	peer := flags.String("peer-url", "", "URL that no one uses, etcd insists on it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	clientURL, err := url.Parse(*client)
	if err != nil {
		return fmt.Errorf("parse --client-url: %w", err)
	}
	peerURL, err := url.Parse(*peer)
	if err != nil {
		return fmt.Errorf("parse --peer-url: %w", err)
	}

	config := embed.NewConfig()
	config.Dir = *dir
	config.ListenClientUrls = []url.URL{*clientURL}
	config.AdvertiseClientUrls = []url.URL{*clientURL}
	config.ListenPeerUrls = []url.URL{*peerURL}
	config.AdvertisePeerUrls = []url.URL{*peerURL}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	// The state is thrown away with the cluster; waiting for the disk would
	// only make every write slower.
	config.UnsafeNoFsync = true
	config.LogLevel = "warn"

	server, err := embed.StartEtcd(config)
	if err != nil {
		return fmt.Errorf("start etcd: %w", err)
	}
	defer server.Close()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	select {
	case <-server.Server.ReadyNotify():
	case <-ctx.Done():
		return nil
	case <-time.After(etcdStartTimeout):
		return fmt.Errorf("etcd was not ready within %s", etcdStartTimeout)
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-server.Err():
		return err
	}
}

// runKwok does what the kwok program's main does: its logger and its
// configuration are read from flags before its command exists.
func runKwok(args []string) error {
	os.Args = append([]string{"kwok"}, args...)
	// cobra adds the flags of the whole program, among them a --version of
	// Kubernetes that is not the boolean which kwok's command expects.
	pflag.CommandLine = pflag.NewFlagSet("kwok", pflag.ContinueOnError)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	flags := pflag.NewFlagSet("global", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {}
	ctx, _ = kwoklog.InitFlags(ctx, flags)
	ctx, err := kwokconfig.InitFlags(ctx, flags)
	if err != nil {
		return fmt.Errorf("read the configuration of kwok: %w", err)
	}
	command := kwok.NewCommand(ctx)
	command.PersistentFlags().AddFlagSet(flags)
	return command.ExecuteContext(ctx)
}

// runKubectl returns only when the command succeeded: kubectl maps errors to
// exit codes itself and exits.
func runKubectl(args []string) {
	os.Args = append([]string{"kubectl"}, args...)
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}

// exitCode reports err to whoever reads the log of the part.
func exitCode(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
