package eureka

// The names of data centres that the protocol knows.
const (
	DataCenterMyOwn   = "MyOwn"
	DataCenterNetflix = "Netflix"
	DataCenterAmazon  = "Amazon"
)

// The class names that Java clients expect beside a data centre's name.
const (
	defaultDataCenterClass = "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo"
	amazonDataCenterClass  = "com.netflix.appinfo.AmazonInfo"
)

// DataCenterInfo says where an instance runs.
type DataCenterInfo struct {
	// Name is one of the DataCenter constants.
	Name string
	// Metadata is written for Amazon alone: decoders of Java clients lose
	// their place when another data centre has it (protocol section 4.4).
	Metadata map[string]string
}

// Class is the Java class name that goes with the name on the wire.
func (d DataCenterInfo) Class() string {
	if d.Name == DataCenterAmazon {
		return amazonDataCenterClass
	}
	return defaultDataCenterClass
}
