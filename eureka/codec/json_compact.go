package codec

import "github.com/eurekube/eurekube/eureka"

// appendCompactJSONInstance appends the instance object of compact JSON
// (protocol section 4.6). Here lastUpdatedTimestamp is a number.
func appendCompactJSONInstance(dst []byte, i *eureka.Instance) []byte {
	dst = append(dst, '{')
	dst = appendJSONText(dst, `"instanceId":`, i.ID)
	dst = appendJSONText(dst, `"app":`, i.App)
	dst = appendJSONText(dst, `"ipAddr":`, i.IPAddr)
	dst = appendJSONText(dst, `"vipAddress":`, i.VIPAddress)
	dst = appendJSONText(dst, `"secureVipAddress":`, i.SecureVIPAddress)
	dst = appendJSONDataCenterInfo(dst, i.DataCenterInfo, true)
	dst = appendJSONText(dst, `"hostName":`, i.HostName)
	dst = appendJSONText(dst, `"status":`, statusWord(i.Status))
	dst = appendJSONNumber(dst, `"lastUpdatedTimestamp":`, i.LastUpdatedTimestamp)
	dst = appendJSONText(dst, `"actionType":`, string(i.ActionType))
	dst = appendJSONText(dst, `"asgName":`, i.ASGName)
	dst = appendJSONPort(dst, `"port":`, i.Port)
	dst = appendJSONPort(dst, `"securePort":`, i.SecurePort)
	return closeJSONObject(dst)
}
