package spring

import (
	"fmt"
	"strconv"
)

// PerService is how many instances each service has, as the pods of package
// fleet.
const PerService = 25

// port is the port of every instance.
const port = 8080

// App is the name of the i-th instance's service as the instance spells it.
func App(i int) string {
	return "standalone-service-" + strconv.Itoa(i/PerService)
}

// ID is the instance id of the i-th instance.
func ID(i int) string {
	return address(i) + ":" + App(i) + ":" + strconv.Itoa(port)
}

// address is an address of its own for each of 16 million instances, none of
// which a pod of package fleet has.
func address(i int) string {
	return fmt.Sprintf("172.%d.%d.%d", 16+i>>16&0xff, i>>8&0xff, i&0xff)
}

// body is what an instance posts; the verbs are its id, its service as in the
// path, its address, its service, its port and the time of its latest change.
const body = `{"instance":{"instanceId":"%[1]s","app":"%[2]s","appGroupName":null,"ipAddr":"%[3]s","sid":"na",` +
	`"homePageUrl":"http://%[3]s:%[5]d/","statusPageUrl":"http://%[3]s:%[5]d/actuator/info","healthCheckUrl":"http://%[3]s:%[5]d/actuator/health",` +
	`"secureHealthCheckUrl":null,"vipAddress":"%[4]s","secureVipAddress":"%[4]s","countryId":1,` +
	`"dataCenterInfo":{"@class":"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo","name":"MyOwn"},"hostName":"%[3]s","status":"UP","overriddenStatus":"UNKNOWN",` +
	`"leaseInfo":{"renewalIntervalInSecs":30,"durationInSecs":90,"registrationTimestamp":0,"lastRenewalTimestamp":0,"evictionTimestamp":0,"serviceUpTimestamp":0},` +
	`"isCoordinatingDiscoveryServer":false,"lastUpdatedTimestamp":%[6]d,"lastDirtyTimestamp":%[6]d,"actionType":null,"asgName":null,` +
	`"port":{"$":%[5]d,"@enabled":"true"},"securePort":{"$":443,"@enabled":"false"},"metadata":{"management.port":"%[5]d","team_name":"blue"}}}`

// AppendBody appends what the i-th instance posts to register. dirty is when it
// changed last, in milliseconds since 1970.
func AppendBody(dst []byte, i int, dirty int64) []byte {
	return fmt.Appendf(dst, body, ID(i), appInPath(i), address(i), App(i), port, dirty)
}

// appInPath is the service of the i-th instance as its requests name it.
func appInPath(i int) string {
	return "STANDALONE-SERVICE-" + strconv.Itoa(i/PerService)
}

// header is what both requests send besides.
const header = "Host: eurekube.shop:8761\r\nConnection: keep-alive\r\nUser-Agent: Apache-HttpClient/5.5.2 (Java/17.0.15)\r\n"

// AppendRegistration appends the request with which the i-th instance registers.
func AppendRegistration(dst []byte, i int, dirty int64) []byte {
	content := AppendBody(nil, i, dirty)
	dst = fmt.Appendf(dst, "POST /eureka/apps/%s HTTP/1.1\r\nAccept-Encoding: gzip\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n",
		appInPath(i), len(content), header)
	return append(dst, content...)
}

// AppendHeartbeat appends the request with which the i-th instance renews its
// lease. dirty is that of its registration.
func AppendHeartbeat(dst []byte, i int, dirty int64) []byte {
	return fmt.Appendf(dst, "PUT /eureka/apps/%s/%s?status=UP&lastDirtyTimestamp=%d HTTP/1.1\r\n"+
		"Content-Type: application/json\r\nAccept: application/json\r\nAccept-Encoding: gzip, x-gzip, deflate\r\nContent-Length: 0\r\n%s\r\n",
		appInPath(i), ID(i), dirty, header)
}
